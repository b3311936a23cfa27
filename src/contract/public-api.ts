// The public interface, one row an operation: from it come the routes, the checks, the client, the console's calls
// and OpenAPI. A new operation is a row of its noun's table in `public/` and its implementation in `app`.
import type { z } from 'zod'
import { conversationOperations } from './public/conversations.ts'
import { documentOperations } from './public/documents.ts'
import { keyOperations } from './public/keys.ts'

export const publicOperations = { ...conversationOperations, ...documentOperations, ...keyOperations } as const

export type PublicOperations = typeof publicOperations
export type PublicName = keyof PublicOperations

// `pieces` gives the bytes in pieces of `limits.filePieceBytes`, without waiting for anyone.
export type UploadedFile = {
  name: string | null
  mediaType: string | null
  size: number
  pieces(): AsyncIterable<Uint8Array>
}

type Body<T> = T extends { body: z.ZodType } ? z.input<T['body']> : Record<never, never>
type Query<T> = T extends { query: z.ZodType } ? z.input<T['query']> : Record<never, never>
type Given<T> = T extends { multipart: true }
  ? [body: Body<T>, query: Query<T>, file: UploadedFile]
  : Record<never, never> extends Query<T>
    ? [body: Body<T>, query?: Query<T>]
    : [body: Body<T>, query: Query<T>]

// Implemented in process by the app (`app.as(caller)`), and remotely by the client.
export type Service = {
  [name in PublicName]: (...given: Given<PublicOperations[name]>) => Promise<z.output<PublicOperations[name]['answer']>>
}
