// Walks through JSON letter by letter and cuts out the values at the places that are asked for.

import { AppError } from '../../domain/errors.ts'
import { limits } from '../limits.ts'

// '*' stands for every element of a list and every member of an object.
export type Path = readonly string[]

type Frame = { isList: boolean; at: string; count: number; isKeyNext: boolean }
type Capture = { path: string[]; parts: string[]; length: number; depth: number }

const KEY_CHARACTERS = 200

export class JsonScanner {
  #frames: Frame[] = []
  #capture: Capture | null = null
  #isString = false
  #isEscaped = false
  #key = ''
  readonly #wanted: readonly Path[]

  constructor(wanted: readonly Path[]) {
    this.#wanted = wanted
  }

  // The next piece of the text; yields what was found whole, as it is written.
  *scan(text: string): Generator<{ path: string[]; json: string }> {
    for (let at = 0; at < text.length; ) {
      const capture = this.#capture
      if (!capture) {
        at = this.#step(text[at]!, at)
        continue
      }
      const end = this.#endOfCaptured(capture, text, at)
      const part = text.slice(at, end < 0 ? text.length : end)
      capture.parts.push(part)
      capture.length += part.length
      if (capture.length > limits.collectionValueBytes)
        throw new AppError('unreadable', `One entry is longer than ${limits.collectionValueBytes} characters.`)
      if (end < 0) return
      yield { path: capture.path, json: capture.parts.join('') }
      this.#capture = null
      at = end
    }
  }

  get isComplete(): boolean {
    return this.#frames.length === 0 && this.#capture === null
  }

  // Where the captured value ends, or -1 when it goes on in the next piece.
  #endOfCaptured(capture: Capture, text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const letter = text[at]!
      if (this.#isString) {
        if (this.#passString(letter) && capture.depth === 0) return at + 1
      } else if (letter === '"') this.#isString = true
      else if (letter === '{' || letter === '[') capture.depth++
      else if (letter === '}' || letter === ']') {
        if (capture.depth === 0) return at // of a bare number or word: the bracket is not its own
        if (--capture.depth === 0) return at + 1
      } else if (capture.depth === 0 && (letter === ',' || letter === '\n')) return at
    }
    return -1
  }

  // True at the quote that ends it.
  #passString(letter: string): boolean {
    if (this.#isEscaped) this.#isEscaped = false
    else if (letter === '\\') this.#isEscaped = true
    else if (letter === '"') this.#isString = false
    return !this.#isString
  }

  // One letter outside of what is captured.
  #step(letter: string, at: number): number {
    const frame = this.#frames.at(-1)
    if (this.#isString) {
      const isOver = this.#passString(letter)
      if (frame?.isKeyNext && isOver) frame.at = this.#key
      else if (frame?.isKeyNext && this.#key.length < KEY_CHARACTERS) this.#key += letter
    } else if (letter === ',' && frame) {
      if (frame.isList) frame.count++
      else frame.isKeyNext = true
    } else if (letter === ':' && frame) frame.isKeyNext = false
    else if (letter === '}' || letter === ']') this.#frames.pop()
    else if (letter.trim() !== '') return this.#begin(letter, at, frame)
    return at + 1
  }

  #begin(letter: string, at: number, frame: Frame | undefined): number {
    if (frame?.isKeyNext) {
      if (letter !== '"') throw new AppError('unreadable', 'The JSON in it is damaged.')
      this.#key = ''
      this.#isString = true
      return at + 1
    }
    const path = this.#frames.map(({ isList, count, at }) => (isList ? String(count) : at))
    if (frame && this.#isWanted(path)) {
      this.#capture = { path, parts: [], length: 0, depth: 0 }
      return at
    }
    if (letter === '"') this.#isString = true
    else if (letter === '{' || letter === '[') {
      if (this.#frames.length >= limits.collectionDepth) throw new AppError('unreadable', 'The JSON in it is too deep.')
      this.#frames.push({ isList: letter === '[', at: '', count: 0, isKeyNext: letter === '{' })
    }
    return at + 1
  }

  #isWanted(path: string[]): boolean {
    return this.#wanted.some(
      (one) => one.length === path.length && one.every((part, at) => part === '*' || part === path[at]),
    )
  }
}
