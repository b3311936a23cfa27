// A grammar that lets a model end each sentence only with the memories it rests on.

// In llama.cpp's notation. A full stop within a sentence is followed by no space: 3.14, memoir.db.
export const citingGrammar = (memories: number): string => {
  const numbers = Array.from({ length: memories }, (_, at) => `"${at + 1}"`)
  return [
    'root ::= none | sentence (gap sentence)*',
    'none ::= "[no answer] " [^[\\]\\n]+',
    'sentence ::= piece+ [.!?]* " "? mark (" "? mark)* [.!?]?',
    'piece ::= [^.!?[\\]\\n] | [.!?] [^ .!?[\\]\\n]',
    `mark ::= "[m" (${numbers.join(' | ')}) "]"`,
    'gap ::= " " | "\\n" "\\n"?',
  ].join('\n')
}
