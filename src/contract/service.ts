// The nine operations as a type: implemented in process by the app, and remotely by the client.
import type { z } from 'zod'
import type * as api from './public-api.ts'

type Body<T extends { body: z.ZodType }> = z.input<T['body']>
type Answer<T extends { answer: z.ZodType }> = z.output<T['answer']>

// `pieces` gives the bytes in pieces of `limits.filePieceBytes`, without waiting for anyone.
export type UploadedFile = {
  name: string | null
  mediaType: string | null
  size: number
  pieces(): AsyncIterable<Uint8Array>
}

export type Service = {
  message(request: Body<typeof api.message>, query?: { include?: unknown }): Promise<Answer<typeof api.message>>
  instruction(
    query: { cmd?: unknown; include?: unknown },
    request: Body<typeof api.instruction>,
  ): Promise<Answer<typeof api.instruction>>
  uploadUrl(request: Body<typeof api.uploadUrl>): Promise<Answer<typeof api.uploadUrl>>
  uploadText(request: Body<typeof api.uploadText>): Promise<Answer<typeof api.uploadText>>
  // `domainName` as given in the address, where it may stand too.
  uploadFile(
    request: Body<typeof api.uploadFile>,
    file: UploadedFile,
    domainName?: unknown,
  ): Promise<Answer<typeof api.uploadFile>>
  memory(request: Body<typeof api.memory>): Promise<Answer<typeof api.memory>>
  conversation(request: Body<typeof api.conversation>): Promise<Answer<typeof api.conversation>>
  documents(size: unknown, request: Body<typeof api.documents>): Promise<Answer<typeof api.documents>>
  updateDocument(feedId: unknown, request: Body<typeof api.updateDocument>): Promise<Answer<typeof api.updateDocument>>
}
