// What a chat model took and cost, in one line.
import type { Spent } from '../api/admin.ts'
import { words } from '../words/words.ts'
import { count, money } from './times.ts'

export const SpentOn = ({ spent }: { spent: Spent }) => (
  <span className="figures">
    {words.tokensReadAndWritten(count(spent.prompt_tokens), count(spent.answer_tokens))}
    {spent.cost !== null && `, ${money(spent.cost, spent.currency!)}`}
  </span>
)
