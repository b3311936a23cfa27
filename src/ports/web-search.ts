// The socket for looking things up on the web, where the owner has set one up.

export type WebResult = { title: string; url: string; text: string }

export type WebSearch = {
  // Best first; nothing rather than an error when the web does not answer.
  search(text: string): Promise<WebResult[]>
}
