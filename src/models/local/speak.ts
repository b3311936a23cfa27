// The process of one local model: loads it, then writes one answer after the other. It runs apart from the service, so
// that the model's memory and its crashes are its own.
import { citingGrammar } from './grammar.ts'
import type { ChatWrapper, Llama, LlamaApi, Model, Sequence, Token } from './llama-api.ts'
import type { Ended, FromProcess, Load, Task, ToProcess } from './messages.ts'
import { createTail } from './tail.ts'

const AT_ONCE = 32 // tokens of a prompt between two looks at whether anyone still waits

type Loaded = { api: LlamaApi; llama: Llama; model: Model; sequence: Sequence; wrapper: ChatWrapper }

const say = (message: FromProcess): void => void process.send?.(message)
const stopped = new Set<number>()
let loaded: Promise<Loaded | undefined> | undefined
let last: Promise<void> = Promise.resolve()

process.on('disconnect', () => process.exit())
process.on('message', (message: ToProcess) => {
  if (message.type === 'load') loaded = load(message.load).catch(giveUp)
  else if (message.type === 'stop') stopped.add(message.id)
  else last = last.then(() => carryOut(message.task))
})

async function load({ entry, file, contextTokens, threads }: Load): Promise<Loaded> {
  const api = (await import(entry)) as LlamaApi
  const llama = await api.getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: 'error',
    logger: () => {},
    maxThreads: threads,
  })
  const model = await llama.loadModel({ modelPath: file, gpuLayers: 0 })
  const contextSize = Math.min(contextTokens, model.trainContextSize)
  const context = await model.createContext({ contextSize, sequences: 1, threads, batchSize: AT_ONCE })
  const wrapper = api.resolveChatWrapper(model, { warningLogs: false })
  say({ type: 'loaded' })
  return { api, llama, model, sequence: context.getSequence(), wrapper }
}

function giveUp(error: unknown): undefined {
  say({ type: 'not loaded', why: (error as Error).message })
  process.disconnect()
}

async function carryOut(task: Task): Promise<void> {
  const all = await loaded
  if (!all) return
  try {
    say({ type: 'done', id: task.id, ...(await write(all, task)) })
  } catch (error) {
    say({ type: 'failed', id: task.id, why: (error as Error).message, isOfMessage: error instanceof TooLong })
  } finally {
    stopped.delete(task.id)
  }
}

class TooLong extends Error {}

async function write(
  { api, llama, model, sequence, wrapper }: Loaded,
  { id, system, turns, answerTokens, memories }: Task,
): Promise<Ended> {
  const isStopped = () => stopped.has(id)
  const { contextText, stopGenerationTriggers } = wrapper.generateContextState({
    chatHistory: [
      { type: 'system', text: system },
      ...turns.map(({ role, text }) =>
        role === 'ai' ? { type: 'model' as const, response: [text] } : { type: 'user' as const, text },
      ),
      { type: 'model', response: [] },
    ],
  })
  const tokens = contextText.tokenize(model.tokenizer)
  const room = sequence.contextSize - tokens.length
  if (room < answerTokens / 4)
    throw new TooLong(`the prompt of ${tokens.length} tokens leaves no room in a context of ${sequence.contextSize}`)
  // The last token is evaluated for what follows it, so it is never one of those that are kept.
  await sequence.adaptStateToTokens(tokens.slice(0, -1), false)
  while (sequence.nextTokenIndex < tokens.length - 1) {
    if (isStopped()) return { end: 'length', promptTokens: sequence.nextTokenIndex, answerTokens: 0 }
    const from = sequence.nextTokenIndex
    await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(from, Math.min(from + AT_ONCE, tokens.length - 1)))
  }
  const grammar = memories > 0 ? await llama.createGrammar({ grammar: citingGrammar(memories) }) : undefined
  const spoken = sequence.evaluateWithMetadata(
    tokens.slice(-1),
    { confidence: true },
    {
      temperature: 0,
      dryRepeatPenalty: { strength: 0.8 }, // small models fall into loops
      ...(grammar && { grammarEvaluationState: new api.LlamaGrammarEvaluationState({ model, grammar }) }),
    },
  )
  const given = await give(model, spoken, {
    id,
    most: Math.min(answerTokens, room - 1),
    stops: stopGenerationTriggers.flatMap(textOf),
    isStopped,
  })
  return { ...given, promptTokens: tokens.length }
}

type Giving = { id: number; most: number; stops: string[]; isStopped: () => boolean }

async function give(
  model: Model,
  spoken: AsyncIterable<{ token: Token; confidence: number }>,
  { id, most, stops, isStopped }: Giving,
): Promise<Omit<Ended, 'promptTokens'>> {
  const tail = createTail(stops)
  const before: Token[] = []
  let pending: Token[] = []
  let logprobs: number[] = []
  const send = (delta: string) => {
    if (delta === '') return
    say({ type: 'text', id, delta, logprobs })
    logprobs = []
  }
  let answerTokens = 0
  for await (const { token, confidence } of spoken) {
    answerTokens++
    pending.push(token)
    logprobs.push(Math.log(Math.max(confidence, Number.MIN_VALUE)))
    const text = model.detokenize(pending, false, before.slice(-16))
    // A character may be made of several tokens.
    if (!text.endsWith('\ufffd') || pending.length > 8) {
      before.push(...pending)
      pending = []
      send(tail.feed(text))
    }
    if (tail.isOver()) return { end: 'stop', answerTokens }
    if (answerTokens >= most || isStopped()) {
      send(tail.end())
      return { end: 'length', answerTokens }
    }
  }
  send(tail.end())
  return { end: 'stop', answerTokens }
}

// A trigger of several pieces of text is not one that a model writes.
function textOf({ values = [] }: { values?: unknown[] }): string[] {
  const [first] = values
  return values.length === 1 && typeof first === 'string' ? [first] : []
}
