// Puts node-llama-cpp into a folder of models: the real one where it is installed, or one that says what a test wrote down.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { writeTinyModel } from './tiny-gguf.ts'

const installed = resolve(import.meta.dirname, '../node_modules/.cache/llama/node_modules')

// Why the tests with the real package do not run; undefined where they do.
export const noLlama: string | undefined = existsSync(join(installed, 'node-llama-cpp'))
  ? undefined
  : 'node-llama-cpp is not installed: npm run llama installs it for the tests'

export function modelsIn(dataFolder: string): string {
  const folder = join(dataFolder, 'models')
  mkdirSync(folder, { recursive: true })
  return folder
}

export const installRealLlama = (dataFolder: string): void =>
  symlinkSync(installed, join(modelsIn(dataFolder), 'node_modules'))

export type LocalScript = {
  says?: string
  pauseMs?: number // before each character
  load?: 'fail' | 'hang'
  end?: 'crash' | 'hang' // after what it says
}

export type SeenPrompt = { text: string; kept: number; grammar: string | null }

// A package of the same interface. Each model plays the script that lies beside its file.
export function installScriptedLlama(dataFolder: string) {
  const folder = modelsIn(dataFolder)
  const home = join(folder, 'node_modules', 'node-llama-cpp')
  mkdirSync(join(home, 'dist'), { recursive: true })
  writeFileSync(join(home, 'package.json'), '{"name": "node-llama-cpp", "version": "3.0.0", "type": "module"}')
  writeFileSync(join(home, 'dist', 'index.js'), SCRIPTED)
  const fileOf = (name: string, end: string) => join(folder, `${name}.gguf${end}`)
  return {
    add(name: string, script: LocalScript): void {
      writeTinyModel(fileOf(name, ''))
      this.say(name, script)
    },
    say(name: string, script: LocalScript): void {
      writeFileSync(fileOf(name, '.script'), JSON.stringify(script))
      writeFileSync(fileOf(name, '.seen'), '')
    },
    seen: (name: string): SeenPrompt[] =>
      readFileSync(fileOf(name, '.seen'), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  }
}

// Its tokens are characters.
const SCRIPTED = `
import { appendFileSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
const codes = (text) => [...text].map((one) => one.codePointAt(0))
const hang = () => new Promise(() => {})
export class LlamaGrammarEvaluationState {
  constructor({ grammar }) { this.grammar = grammar.grammar }
}
export const resolveChatWrapper = () => ({
  generateContextState: ({ chatHistory }) => ({
    contextText: {
      tokenize: () => codes(chatHistory.map((one) => one.text ?? one.response.join('')).join('\\n')),
    },
    stopGenerationTriggers: [{ values: ['<end>'] }],
  }),
})
export const getLlama = async () => ({
  createGrammar: async (grammar) => grammar,
  async loadModel({ modelPath }) {
    const script = () => JSON.parse(readFileSync(modelPath + '.script', 'utf8'))
    if (script().load === 'fail') throw new Error('the tensors are not those of a model\\nand more')
    if (script().load === 'hang') await hang()
    let state = []
    let kept = 0
    const sequence = {
      contextSize: 0,
      get nextTokenIndex() { return state.length },
      async adaptStateToTokens(tokens) {
        const differs = state.findIndex((token, at) => token !== tokens[at])
        state = state.slice(0, differs < 0 ? undefined : differs)
        kept = state.length
      },
      async evaluateWithoutGeneratingNewTokens(tokens) { state.push(...tokens) },
      async *evaluateWithMetadata(tokens, _metadata, { grammarEvaluationState }) {
        state.push(...tokens)
        const text = String.fromCodePoint(...state)
        const line = { text, kept, grammar: grammarEvaluationState?.grammar ?? null }
        appendFileSync(modelPath + '.seen', JSON.stringify(line) + '\\n')
        const { says = '', pauseMs = 0, end } = script()
        for (const token of codes(says)) {
          if (pauseMs) await wait(pauseMs)
          state.push(token)
          yield { token, confidence: 0.5 }
        }
        if (end === 'crash') process.kill(process.pid, 'SIGKILL')
        if (end) await hang()
      },
    }
    return {
      trainContextSize: 32768,
      tokenizer: null,
      async createContext({ contextSize }) {
        sequence.contextSize = contextSize
        return { contextSize, getSequence: () => sequence }
      },
      detokenize: (tokens) => String.fromCodePoint(...tokens),
    }
  },
})
`
