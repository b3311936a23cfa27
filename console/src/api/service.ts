// The public operations as the owner uses them: talking, uploading, remembering, replacing a text. Methods and paths come
// from the contract through the build.
import { keepOperations, publicOperations } from 'memoir:operations'
import type { Service } from '../../../src/contract/public-api.ts'
import { words } from '../words/words.ts'
import { addressOf, Refused, refusal, send, tabHeaders } from './call.ts'
import { eventsOf } from './events.ts'

const SOURCE = 'console'

export type Said = { text: string; score: number; sessionId: string; replyId: string | null }

// `onText` gets the reply as far as it has come.
export async function talk(
  domainName: string,
  text: string,
  sessionId: string,
  { onText, signal }: { onText: (text: string) => void; signal: AbortSignal },
): Promise<Said> {
  const body = { DomainName: domainName, Text: text, SessionId: sessionId, SourceName: SOURCE }
  const { method, streamPath } = publicOperations.message
  const response = await send({ method, path: streamPath!, body, signal })
  let come = ''
  for await (const { data } of eventsOf(response)) {
    if (data === '[DONE]') break
    const part = JSON.parse(data) as { ai_message: string; ai_score?: number; detail?: string }
    if (part.detail !== undefined) throw new Refused(503, part.detail)
    if (part.ai_score !== undefined) {
      const replyId = response.headers.get('x-memoir-reply-id')
      return { text: come, score: part.ai_score, sessionId, replyId }
    }
    come += part.ai_message
    onText(come)
  }
  throw new Refused(0, words.theReplyBrokeOff)
}

const call = <Name extends keyof Service>(
  name: Name,
  body: Parameters<Service[Name]>[0],
  query: Record<string, unknown> = {},
): Promise<Response> => {
  const { method, path } = publicOperations[name]
  return send({ method, path, query, body })
}

export const uploadUrl = (domainName: string, url: string, isDraft = false) =>
  call('uploadUrl', { DomainName: domainName, Url: url, is_stack: !isDraft })

export const uploadText = (domainName: string, text: string, title: string, isDraft = false) =>
  call('uploadText', { DomainName: domainName, Text: text, Title: title, is_stack: !isDraft })

export const remember = (domainName: string, text: string, time: string, tags: string, source = SOURCE) =>
  call('memory', { DomainName: domainName, Text: text, Createdtime: time, Tags: tags, SourceName: source })

export const replaceText = (domainName: string, documentId: string, text: string) =>
  call('updateDocument', { DomainName: domainName, Text: text }, { feed_id: documentId })

// A document or an export of another program: the service sees what it is. With XMLHttpRequest, which alone tells how
// much of a file has gone.
export function uploadFile(
  domainName: string,
  file: File,
  isDraft: boolean,
  onProgress: (percent: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const { method, path } = keepOperations.learnFile
    const of = path.replace('{domain_name}', encodeURIComponent(domainName))
    request.open(method, addressOf(of, { file_name: file.name, media_type: file.type, draft: isDraft }))
    request.setRequestHeader('content-type', 'application/octet-stream')
    for (const [name, value] of Object.entries(tabHeaders())) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(Math.round((loaded / total) * 100))
    request.onerror = () => reject(new Refused(0, words.memoirDoesNotAnswer))
    request.onload = () => {
      if (request.status === 200) resolve()
      else reject(refusal(request.status, detailOf(request.responseText)))
    }
    request.send(file)
  })
}

function detailOf(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { detail?: string }).detail
  } catch {
    return undefined
  }
}
