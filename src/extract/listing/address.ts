// An address as a page writes it, made whole.

export function absolute(address: string, base: string): string | null {
  const url = URL.parse(address.trim(), base || undefined)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null
  url.hash = ''
  return url.href
}
