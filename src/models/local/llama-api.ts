// The part of node-llama-cpp that is used. The package is not installed with Memoir, so its own types are not at hand.

export type Token = number & { readonly brand: 'token' }

export type LlamaApi = {
  getLlama(options: object): Promise<Llama>
  resolveChatWrapper(model: Model, options: { warningLogs: boolean }): ChatWrapper
  LlamaGrammarEvaluationState: new (options: { model: Model; grammar: Grammar }) => GrammarState
}

export type Llama = {
  loadModel(options: { modelPath: string; gpuLayers: number }): Promise<Model>
  createGrammar(options: { grammar: string }): Promise<Grammar>
}

type Grammar = { readonly grammar: string }
type GrammarState = { clone(): GrammarState }

export type Model = {
  trainContextSize: number
  tokenizer: unknown
  createContext(options: object): Promise<{ getSequence(): Sequence; contextSize: number }>
  detokenize(tokens: Token[], specialTokens?: boolean, lastTokens?: Token[]): string
}

type Item = { type: 'system' | 'user'; text: string } | { type: 'model'; response: string[] }

export type ChatWrapper = {
  generateContextState(options: { chatHistory: Item[] }): {
    contextText: { tokenize(tokenizer: unknown): Token[] }
    // Texts, or lists of texts and special tokens; only the texts are looked for, the tokens end a text by themselves.
    stopGenerationTriggers: { values?: unknown[] }[]
  }
}

export type Sequence = {
  nextTokenIndex: number
  contextSize: number
  // Keeps what was evaluated already of a prompt that begins in the same way.
  adaptStateToTokens(tokens: Token[], allowShift: boolean): Promise<void>
  evaluateWithoutGeneratingNewTokens(tokens: Token[]): Promise<void>
  evaluateWithMetadata(
    tokens: Token[],
    metadata: { confidence: true },
    options: object,
  ): AsyncIterable<{ token: Token; confidence: number }>
}
