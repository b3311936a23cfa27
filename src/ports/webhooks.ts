// The socket for sending events to addresses that owners chose.

export type Posted = { status: number; response: string }

export type Webhooks = {
  // Throws AppError('unreachable', sentence) for an address that must not be sent to, or that leads nowhere.
  check(url: string): Promise<void>
  // One request, without following where it redirects to. Throws AppError('unreachable', sentence) without an answer.
  post(
    url: string,
    request: { body: string | Uint8Array; headers: Record<string, string>; signal: AbortSignal },
  ): Promise<Posted>
}
