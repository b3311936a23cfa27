// Times on the wire.

// ISO 8601 with milliseconds and the offset written out.
export const offsetTime = (time: Date): string => time.toISOString().replace('Z', '+00:00')
