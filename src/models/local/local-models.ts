// Chat models in the same service: each file of the models' folder can be asked, in a process of its own.
import { availableParallelism, totalmem } from 'node:os'
import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { AppError } from '../../domain/errors.ts'
import { limits as shared } from '../../domain/limits.ts'
import type { Download, LocalModelFiles } from '../../ports/local-models.ts'
import { limits } from '../limits.ts'
import { findLlama, howToInstall, needLlama } from './find-llama.ts'
import { createModelFolder } from './folder.ts'
import { type GgufFacts, readGguf } from './gguf.ts'
import type { Ended, Load, Task } from './messages.ts'
import { createLlamaProcess, type LlamaProcess } from './process.ts'

export type LocalBounds = {
  threads: number | undefined
  memoryMib: number | undefined
  contextTokens: number | undefined
}

export type LocalModels = {
  files: LocalModelFiles
  modelNamed(name: string): LanguageModelV4
  close(): Promise<void>
}

export function createLocalModels(path: string, download: Download, bounds: LocalBounds): LocalModels {
  const folder = createModelFolder(path, download)
  // The one used last comes last.
  const processes = new Map<string, LlamaProcess>()

  const prepare = async (name: string): Promise<{ load: Load; memoryBytes: number }> => {
    const { entry } = needLlama(folder.path)
    const file = await folder.fileOf(name)
    const contextTokens = contextOf(bounds)
    const memoryBytes = memoryBound(bounds)
    const facts = await readGguf(file, name)
    const tooMuch = tooLarge(facts, contextTokens, memoryBytes)
    if (tooMuch) throw new AppError('model_failed', tooMuch)
    const threads = bounds.threads ?? Math.max(1, Math.floor(availableParallelism() / 2))
    return { load: { entry, file, contextTokens, threads }, memoryBytes }
  }

  const processOf = (name: string): LlamaProcess => {
    const known = processes.get(name)
    processes.delete(name)
    const idle = [...processes].find(([, one]) => !one.isBusy())
    if (!known && processes.size >= limits.localProcesses && idle) {
      idle[1].close()
      processes.delete(idle[0])
    }
    const made = known ?? createLlamaProcess(() => prepare(name))
    processes.set(name, made)
    return made
  }

  return {
    files: {
      ...folder,
      async remove(name) {
        await folder.remove(name)
        processes.get(name)?.close()
        processes.delete(name)
      },
      missing: () => (findLlama(folder.path) ? null : sentence(howToInstall(folder.path))),
      tooLarge({ facts }) {
        const why = facts && tooLarge(facts, contextOf(bounds), memoryBound(bounds))
        return why ? sentence(why) : null
      },
    },
    modelNamed: (name) => wireOf(name, () => processOf(name)),
    async close() {
      for (const one of processes.values()) one.close()
      await folder.close()
    },
  }
}

const sentence = (why: string): string => `${why[0]!.toUpperCase()}${why.slice(1)}.`

const contextOf = ({ contextTokens = shared.chatContextTokens }: LocalBounds): number => contextTokens

const memoryBound = ({ memoryMib }: LocalBounds): number =>
  memoryMib === undefined ? Math.floor(0.75 * (process.constrainedMemory() || totalmem())) : memoryMib * 2 ** 20

const WORKING_BYTES = 256 * 2 ** 20 // beside weights and context

export const memoryFor = ({ bytes, contextTokens, memoryPerToken }: GgufFacts, tokens: number): number =>
  bytes + Math.min(tokens, contextTokens) * memoryPerToken + WORKING_BYTES

// Undefined where it fits into what it may have, and into what is free.
export function tooLarge(facts: GgufFacts, contextTokens: number, bound: number): string | undefined {
  const needed = memoryFor(facts, contextTokens)
  const most = Math.min(bound, process.availableMemory())
  if (needed <= most) return undefined
  return (
    `it needs about ${gib(needed)} of memory, and it may have ${gib(most)}: ` +
    'choose a smaller model, or one with fewer bits a weight'
  )
}

export const gib = (bytes: number): string =>
  bytes < 2 ** 30 ? `${Math.ceil(bytes / 2 ** 20)} MiB` : `${(bytes / 2 ** 30).toFixed(1)} GiB`

// In the form that all providers share: the time limits, the breaker and the checks of sentences are the same.
function wireOf(name: string, processOf: () => LlamaProcess): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'local',
    modelId: name,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('only streams are read')),
    async doStream({ prompt, maxOutputTokens = limits.chatAnswerTokens, abortSignal, providerOptions }) {
      const left = new AbortController()
      const signal = abortSignal ? AbortSignal.any([abortSignal, left.signal]) : left.signal
      const memories = Number(providerOptions?.local?.memories ?? 0)
      const task = { ...inOurShape(prompt), answerTokens: maxOutputTokens, memories }
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        async start(controller) {
          try {
            const ended = await processOf().write(task, signal, ({ delta, logprobs }) => {
              if (signal.aborted) return
              controller.enqueue({ type: 'raw', rawValue: inOpenAiShape(logprobs) })
              controller.enqueue({ type: 'text-delta', id: '0', delta })
            })
            controller.enqueue({ type: 'finish', ...inTheirShape(ended) })
            controller.close()
          } catch (error) {
            controller.error(error)
          }
        },
        cancel: () => left.abort(),
      })
      return { stream }
    },
  }
}

const inTheirShape = ({ end, promptTokens, answerTokens }: Ended) => ({
  finishReason: { unified: end, raw: end },
  usage: {
    inputTokens: { total: promptTokens, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: answerTokens, text: undefined, reasoning: undefined },
  },
})

const inOpenAiShape = (logprobs: number[]) => ({
  choices: [{ logprobs: { content: logprobs.map((logprob) => ({ logprob })) } }],
})

function inOurShape(prompt: LanguageModelV4Prompt): Pick<Task, 'system' | 'turns'> {
  const system = prompt.flatMap((one) => (one.role === 'system' ? [one.content] : [])).join('\n\n')
  const turns = prompt.flatMap((one) => {
    if (one.role !== 'user' && one.role !== 'assistant') return []
    const text = one.content.map((part) => ('text' in part ? part.text : '')).join('')
    return [{ role: one.role === 'user' ? ('user' as const) : ('ai' as const), text }]
  })
  return { system, turns }
}
