// Bounds on how much of a message and its session is looked at.

export const limits = {
  readCharacters: 16_000, // of a message; whatever follows is kept, and not looked at
  questionWords: 64,
  patternCharacters: 1_000, // of a message in which patterns are looked for: they may cost the square of its length
  followUpTurns: 4, // of the session, that a follow-up is completed with
  smallTalkCharacters: 120, // whoever writes more wants more than a greeting
} as const
