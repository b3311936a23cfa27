// Written by `npm run clients` from openapi.json: every public operation, with what it takes and answers.

export type File = { bytes: Blob | Uint8Array; name?: string }

// onHeaders is told the headers of an answer: x-memoir-document-id, ratelimit and others.
export type Options = { signal?: AbortSignal; idempotencyKey?: string; onHeaders?: (headers: Headers) => void }

export type Operation = {
  method: string
  path: string
  query: readonly string[] // the fields that go into the address
  takesFile?: boolean
}

export type MessageFields = {
  /** The message. */
  Text: string
  /** Extra context for the reply, like an instruction for it. Only a chat model reads it. */
  Context?: string
  /** The persona's identifier. May be left out where the key has a default persona. */
  DomainName?: string
  /** Who is writing. */
  UserName?: string
  /** Groups the messages of one conversation. Any string of 1–256 characters. */
  SessionId?: string
  /** Titles of documents to answer from, separated by ":". Those that match nothing are ignored. */
  Events?: string
  /** The program the request comes from. */
  SourceName?: string
  /** Also add Text to memory. */
  is_stack?: boolean
  /** Keep the reply as a draft for the owner. */
  is_draft?: boolean
  /** Of your own, kept with the message and given back by conversation. */
  Metadata?: Record<string, unknown>
  /** sources: the reply also names the memories it rests on. */
  include?: 'sources'
}

export type MessageAnswer = {
  ai_message: string
  /** 0–100: the probability that the reply is right and supported by memory. */
  ai_score: number
  ai_name: string
  ai_picture: string | null
  SessionId: string
  source_app: string
  /** The memories the reply rests on; only with ?include=sources. */
  sources?: Array<{
    document_id: string
    title: string
    text: string
    start_time_utc: string
  }>
}

export type MessageStreamFields = {
  /** The message. */
  Text: string
  /** Extra context for the reply, like an instruction for it. Only a chat model reads it. */
  Context?: string
  /** The persona's identifier. May be left out where the key has a default persona. */
  DomainName?: string
  /** Who is writing. */
  UserName?: string
  /** Groups the messages of one conversation. Any string of 1–256 characters. */
  SessionId?: string
  /** Titles of documents to answer from, separated by ":". Those that match nothing are ignored. */
  Events?: string
  /** The program the request comes from. */
  SourceName?: string
  /** Also add Text to memory. */
  is_stack?: boolean
  /** Keep the reply as a draft for the owner. */
  is_draft?: boolean
  /** Of your own, kept with the message and given back by conversation. */
  Metadata?: Record<string, unknown>
  /** sources: the reply also names the memories it rests on. */
  include?: 'sources'
}

export type MessageStreamAnswer = {
  ai_message: string
  /** 0–100: the probability that the reply is right and supported by memory. */
  ai_score?: number
  ai_name?: string
  ai_picture?: string | null
  SessionId: string
  source_app?: string
  /** The memories the reply rests on; only with ?include=sources. */
  sources?: Array<{
    document_id: string
    title: string
    text: string
    start_time_utc: string
  }>
}

export type InstructionFields = {
  /** The instruction. */
  Text: string
  /** What else to go by: the text to summarise, say. */
  Context?: string
  /** The persona's identifier. May be left out where the key has a default persona. */
  DomainName?: string
  /** Who is writing. */
  UserName?: string
  /** Groups the messages of one conversation. Any string of 1–256 characters. */
  SessionId?: string
  /** The program the request comes from. */
  SourceName?: string
  /** Treat the instruction as a message. */
  is_message?: boolean
  /** chat-model is another name of chatgpt. */
  cmd: 'chatgpt' | 'chat-model' | 'search'
  /** sources: the reply also names the memories it rests on. */
  include?: 'sources'
}

export type InstructionAnswer = {
  ai_message: string
  /** 0–100: the probability that the reply is right and supported by memory. */
  ai_score: number
  ai_name: string
  SessionId: string
  source_app: string
  /** The memories the reply rests on; only with ?include=sources. */
  sources?: Array<{
    document_id: string
    title: string
    text: string
    start_time_utc: string
  }>
}

export type ConversationFields = {
  /** The persona's identifier. May be left out where the key has a default persona. */
  DomainName?: string
  /** Groups the messages of one conversation. Any string of 1–256 characters. */
  SessionId: string
  /** Only so many, the latest ones. */
  last?: number
}

export type ConversationAnswer = Array<{
  ai_message: string
  ai_score: number
  ai_name: string
  ai_picture: string | null
  raw_message: string
  /** ISO 8601, UTC, with milliseconds and Z */
  timestamp: string
  SessionId: string
  /** The client's own object plus role: user or ai. */
  Metadata: Record<string, unknown>
}>

export type UploadUrlFields = {
  /** The address of a page or a file. */
  Url: string
  /** Unset: found in the content, where it has one. */
  Title?: string
  /** The persona's identifier. May be left out where the key has a default persona. */
  DomainName?: string
  /** Start of the time the content speaks of. Default: found in the content, else now. */
  StartTime?: string
  /** Where the content speaks of a span of time, its end. */
  EndTime?: string
  /** Comma-delimited, or an array. */
  Tags?: Array<string>
  /** false: stored as a draft, not used for replies until published or named in Events. */
  is_stack?: boolean
}

export type UploadUrlAnswer = {
  message: string
  /** legacy keys only */
  status?: string
  /** legacy keys only */
  success?: boolean
}

export type UploadTextFields = {
  /** The document. */
  Text: string
  /** Unset: found in the content, where it has one. */
  Title?: string
  /** The persona's identifier. May be left out where the key has a default persona. */
  DomainName?: string
  /** Start of the time the content speaks of. Default: found in the content, else now. */
  StartTime?: string
  /** Where the content speaks of a span of time, its end. */
  EndTime?: string
  /** Comma-delimited, or an array. */
  Tags?: Array<string>
  /** false: stored as a draft, not used for replies until published or named in Events. */
  is_stack?: boolean
}

export type UploadTextAnswer = {
  message: string
  /** legacy keys only */
  status?: string
  /** legacy keys only */
  success?: boolean
}

export type UploadFileFields = {
  file: File
  /** Unset: found in the content, where it has one. */
  Title?: string
  /** The persona's identifier. May be left out where the key has a default persona. */
  DomainName?: string
  /** Start of the time the content speaks of. Default: found in the content, else now. */
  StartTime?: string
  /** Where the content speaks of a span of time, its end. */
  EndTime?: string
  /** Comma-delimited, or an array. */
  Tags?: Array<string>
  /** false: stored as a draft, not used for replies until published or named in Events. */
  is_stack?: boolean
}

export type UploadFileAnswer = {
  message: string
  /** legacy keys only */
  status?: string
  /** legacy keys only */
  success?: boolean
}

export type MemoryFields = {
  /** What to remember. */
  Text: string
  /** The persona's identifier. May be left out where the key has a default persona. */
  DomainName?: string
  /** Required, except for legacy keys. */
  SourceName?: string
  /** Time with zone. Default: now. */
  Createdtime?: string
  /** Legacy keys: SourceName by its older name. */
  SourceApp?: string
  /** Legacy keys: Createdtime by its older name. */
  StartTime?: string
  /** Formatted text, stored as given. */
  RawFeedText?: string
  /** Comma-delimited, or an array. */
  Tags?: Array<string>
}

export type MemoryAnswer = {
  type: 'memory'
  payload: Array<{
    data: Array<{
      type: 'MEMORY'
      memlevel: 'MEMBLOCK'
      memlabel: string
      /** ISO 8601 with the offset +00:00 */
      start_time_utc: string
      source: {
        type: string
        name: string
      }
      topics: Array<{
        value: string
      }>
    }>
  }>
  /** legacy keys only */
  status?: string
  /** legacy keys only */
  success?: boolean
}

export type DocumentsFields = {
  /** The persona's identifier. May be left out where the key has a default persona. */
  DomainName?: string
  /** Title of the document; blank: a list. */
  Text?: string
  size: number
}

export type DocumentsAnswer = Array<{
  id: string
  title: string
  text: string
  type: 'Document'
  /** ISO 8601 with the offset +00:00 */
  timestamp: string
}>

export type UpdateDocumentFields = {
  /** The persona's identifier. May be left out where the key has a default persona. */
  DomainName?: string
  /** feed_id by its older name, where the address has none. */
  DocumentId?: string
  /** The whole new text. Left out: nothing is replaced. */
  Text?: string
  feed_id?: string
}

export type UpdateDocumentAnswer = {
  id: string
  type: 'MEMORY'
  memlevel: 'MEMBLOCK'
  memlabel: string
  feedTextRaw: string | null
  ownerDnsName: string
  /** ISO 8601 with the offset +00:00 */
  start_time_utc: string
  end_time_utc: string | null
  creator: {
    name: string
    identity_id: number
    domain_id: number
    propertyBag: {
      email: {
        key: string
        value: string
      }
      picture: {
        key: string
        value: string
      }
    }
  }
  owner: Array<{
    name: string
    identity_id: number
    domain_id: number
    propertyBag: {
      email: {
        key: string
        value: string
      }
      picture: {
        key: string
        value: string
      }
    }
  }>
  follower: {
    name: string
    identity_id: number
    domain_id: number
    propertyBag: {
      email: {
        key: string
        value: string
      }
      picture: {
        key: string
        value: string
      }
    }
  }
  participants: Array<{
    name: string
    identity_id: number
    domain_id: number
    propertyBag: {
      email: {
        key: string
        value: string
      }
      picture: {
        key: string
        value: string
      }
    }
  }>
  source: {
    type: string
    name: string
    device: string
    propertyBag: {
      source_app: {
        key: string
        value: string
      }
    }
  }
  location: null
  feed_event: Array<{
    id: string | null
    name: string
    type: string | null
    propertyBag: Record<string, unknown>
  }>
  topics: Array<{
    value: string
  }>
  contexts: Array<unknown>
  scope: 'PERSONAL'
  visibility: 'PRIVATE'
  internal_parent_mem_ids: Array<string>
  external_parent_mem_ids: Array<unknown>
  embedUrls: Array<string>
  scores: Record<string, unknown>
  metadata: {
    title: string
    feed_text: string
    request_id: string
    /** The previous text as HTML paragraphs, escaped. */
    original_text: string
    is_processed: string
  }
  is_session: boolean
  is_draft: boolean
  is_edited: boolean
}

export type DocumentByIdFields = {
  /** The persona's identifier. May be left out where the key has a default persona. */
  DomainName?: string
  DocumentId: string
}

export type DocumentByIdAnswer = {
  id: string
  title: string
  text: string
  type: 'Document'
  /** ISO 8601 with the offset +00:00 */
  timestamp: string
}

export type DocumentListFields = {
  /** The persona's identifier. May be left out where the key has a default persona. */
  DomainName?: string
  /** How many, 200 at most. */
  limit?: number
  /** `next` of the page before this one. */
  before?: string
}

export type DocumentListAnswer = {
  documents: Array<{
    id: string
    title: string
    kind: 'memory' | 'text' | 'url' | 'file' | 'collection'
    /** ready: learned, and recalled from now on */
    state: 'waiting' | 'reading' | 'ready' | 'failed'
    /** not used for replies unless named in Events */
    is_draft: boolean
    tags: Array<string>
    /** ISO 8601 with the offset +00:00 */
    timestamp: string
  }>
  /** Give it as `before` to get the next page; null on the last. */
  next: string | null
}

export type RecallFields = {
  /** The question, as it would be asked. */
  Text: string
  /** The persona's identifier. May be left out where the key has a default persona. */
  DomainName?: string
  /** The question is a follow-up in this session. */
  SessionId?: string
  /** How many, 100 at most. */
  size?: number
}

export type RecallAnswer = {
  recollections: Array<{
    memory_id: string
    document_id: string
    title: string
    text: string
    topics: Array<string>
    /** ISO 8601, UTC */
    start_time_utc: string
    score: number
  }>
}

export type EmbedFields = {
  /** The persona's identifier. May be left out where the key has a default persona. */
  DomainName?: string
  /** What to embed, 128 at most. */
  Texts: Array<string>
}

export type EmbedAnswer = {
  embedder: string
  /** of unit length, in order */
  vectors: Array<Array<number>>
}

export type MemoryListFields = {
  /** The persona's identifier. May be left out where the key has a default persona. */
  DomainName?: string
  size?: number
}

export type MemoryListAnswer = {
  type: 'memory'
  payload: Array<{
    data: Array<{
      type: 'MEMORY'
      memlevel: 'MEMBLOCK'
      memlabel: string
      /** ISO 8601 with the offset +00:00 */
      start_time_utc: string
      source: {
        type: string
        name: string
      }
      topics: Array<{
        value: string
      }>
    }>
  }>
  /** legacy keys only */
  status?: string
  /** legacy keys only */
  success?: boolean
}

export type ValidateKeyFields = Record<string, never>

export type ValidateKeyAnswer = {
  validation: 'success'
  firstName: string
  lastName: string
  email: string
}

export type PersonasFields = Record<string, never>

export type PersonasAnswer = {
  /** by DomainName */
  personas: Array<{
    DomainName: string
    ai_name: string
    ai_picture: string | null
    /** Answers where DomainName is left out. */
    is_default: boolean
  }>
  scopes: Array<'message' | 'instruction' | 'memory' | 'upload' | 'read' | 'update' | 'sessions'>
}

export type InviteFields = {
  /** The persona's identifier. May be left out where the key has a default persona. */
  domain_name?: string
  email: string
}

export type InviteAnswer = {
  message: string
  email: string
  domain_name: string
  /** Shown this once. */
  key: string
}

export const operations = {
  message: { method: 'POST', path: '/v1/message', query: ['include'] },
  messageStream: { method: 'POST', path: '/v1/message/stream', query: ['include'] },
  instruction: { method: 'POST', path: '/v1/instruction', query: ['cmd', 'include'] },
  conversation: { method: 'POST', path: '/v1/conversation', query: ['last'] },
  uploadUrl: { method: 'POST', path: '/v1/upload-url', query: [] },
  uploadText: { method: 'POST', path: '/v1/upload-text', query: [] },
  uploadFile: { method: 'POST', path: '/v1/upload-file', query: [], takesFile: true },
  memory: { method: 'POST', path: '/v1/memory', query: [] },
  documents: { method: 'POST', path: '/v1/document', query: ['size'] },
  updateDocument: { method: 'PUT', path: '/v1/update-document', query: ['feed_id'] },
  documentById: { method: 'GET', path: '/v1/get-document', query: ['DomainName', 'DocumentId'] },
  documentList: { method: 'GET', path: '/v1/document/list', query: ['DomainName', 'limit', 'before'] },
  recall: { method: 'POST', path: '/v1/recall', query: [] },
  embed: { method: 'POST', path: '/v1/embed', query: [] },
  memoryList: { method: 'GET', path: '/v1/memory/list', query: ['DomainName', 'size'] },
  validateKey: { method: 'GET', path: '/v1/api-key/validate', query: [] },
  personas: { method: 'GET', path: '/v1/personas', query: [] },
  invite: { method: 'POST', path: '/v1/invite', query: ['domain_name', 'email'] },
} as const satisfies Record<string, Operation>

export abstract class Operations {
  protected abstract call<T>(operation: Operation, fields: object, options?: Options): Promise<T>
  protected abstract stream<T>(operation: Operation, fields: object, options?: Options): AsyncGenerator<T>

  /** Send a message to the persona and get its reply. */
  message(fields: MessageFields, options?: Options): Promise<MessageAnswer> {
    return this.call(operations.message, fields, options)
  }

  /** Send a message and get the reply as server-sent events. */
  messageStream(fields: MessageStreamFields, options?: Options): AsyncGenerator<MessageStreamAnswer> {
    return this.stream(operations.messageStream, fields, options)
  }

  /** Send an instruction to the persona. */
  instruction(fields: InstructionFields, options?: Options): Promise<InstructionAnswer> {
    return this.call(operations.instruction, fields, options)
  }

  /** Read the history of a session, oldest first. */
  conversation(fields: ConversationFields, options?: Options): Promise<ConversationAnswer> {
    return this.call(operations.conversation, fields, options)
  }

  /** Add the content behind a URL to memory. */
  uploadUrl(fields: UploadUrlFields, options?: Options): Promise<UploadUrlAnswer> {
    return this.call(operations.uploadUrl, fields, options)
  }

  /** Add a text document to memory. */
  uploadText(fields: UploadTextFields, options?: Options): Promise<UploadTextAnswer> {
    return this.call(operations.uploadText, fields, options)
  }

  /** Add a file to memory. */
  uploadFile(fields: UploadFileFields, options?: Options): Promise<UploadFileAnswer> {
    return this.call(operations.uploadFile, fields, options)
  }

  /** Create a text memory. */
  memory(fields: MemoryFields, options?: Options): Promise<MemoryAnswer> {
    return this.call(operations.memory, fields, options)
  }

  /** Get one named document, or a list of documents, newest first. */
  documents(fields: DocumentsFields, options?: Options): Promise<DocumentsAnswer> {
    return this.call(operations.documents, fields, options)
  }

  /** Replace the text of one document. */
  updateDocument(fields: UpdateDocumentFields = {}, options?: Options): Promise<UpdateDocumentAnswer> {
    return this.call(operations.updateDocument, fields, options)
  }

  /** Get one document by its id, as older connectors do. */
  documentById(fields: DocumentByIdFields, options?: Options): Promise<DocumentByIdAnswer> {
    return this.call(operations.documentById, fields, options)
  }

  /** List documents without their texts, newest first, in pages. */
  documentList(fields: DocumentListFields = {}, options?: Options): Promise<DocumentListAnswer> {
    return this.call(operations.documentList, fields, options)
  }

  /** The memories that a question brings up, best first. */
  recall(fields: RecallFields, options?: Options): Promise<RecallAnswer> {
    return this.call(operations.recall, fields, options)
  }

  /** The vectors of texts, by the embedding model that recall uses. */
  embed(fields: EmbedFields, options?: Options): Promise<EmbedAnswer> {
    return this.call(operations.embed, fields, options)
  }

  /** List memories, newest first, as older programs do. */
  memoryList(fields: MemoryListFields = {}, options?: Options): Promise<MemoryListAnswer> {
    return this.call(operations.memoryList, fields, options)
  }

  /** Check a key. */
  validateKey(fields: ValidateKeyFields = {}, options?: Options): Promise<ValidateKeyAnswer> {
    return this.call(operations.validateKey, fields, options)
  }

  /** The personas that the key is for, and what it may do with them. */
  personas(fields: PersonasFields = {}, options?: Options): Promise<PersonasAnswer> {
    return this.call(operations.personas, fields, options)
  }

  /** Make a key for an e-mail address, where the owner allows it. */
  invite(fields: InviteFields, options?: Options): Promise<InviteAnswer> {
    return this.call(operations.invite, fields, options)
  }
}
