// Names for new things. `crypto.randomUUID` is missing where the console is opened over plain http from another host.
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
