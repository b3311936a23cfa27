// `memoir replies`, `explain`, `judge` and `calibrate`: why a persona said what it said, and how sure it may be.
import { type Command, Option } from 'commander'
import { AppError } from '../domain/errors.ts'
import type { Run } from './connection.ts'
import { printTable, short } from './print.ts'

type Options = { limit?: string; json?: boolean; reset?: boolean }

export function replyCommands(program: Command, run: Run): void {
  program
    .command('replies <domain-name>')
    .description('list the latest replies with their scores')
    .option('--limit <number>', 'how many', '20')
    .option('--json', 'print JSON')
    .action((domainName: string, options: Options) =>
      run(async ({ admin }) => {
        const answer = await admin.listReplies({ domain_name: domainName, limit: Number(options.limit) })
        if (options.json) return console.log(JSON.stringify(answer, null, 2))
        const rows = answer.replies.map(({ id, score, decision, label, visitor_label, question, text }) => ({
          id,
          score: `${score} %`,
          decision,
          verdict: label ?? '',
          visitor: visitor_label ?? '',
          question: short(question),
          reply: short(text),
        }))
        printTable(rows, `No replies yet. Ask: memoir ask ${domainName} "…"`)
      }),
    )

  program
    .command('explain <domain-name> <reply-id>')
    .description('show why a reply was given: its sources, and the parts of its score')
    .option('--json', 'print JSON')
    .action((domainName: string, id: string, options: Options) =>
      run(async ({ admin }) => {
        const why = await admin.explainReply({ domain_name: domainName, id })
        if (options.json) return console.log(JSON.stringify(why, null, 2))
        console.log(
          `${why.question}\n\n${why.text}\n\n${why.score} % sure, ${why.decision}, by ${why.answered_by}, ${why.took_ms} ms`,
        )
        if (why.without_model) console.log(`answered from memory: ${why.without_model}`)
        if (why.understood_as) console.log(`understood as: ${why.understood_as}`)
        for (const { title, page, start_time_utc, text } of why.sources) {
          const place = [title, page !== null && `page ${page}`, start_time_utc.slice(0, 10)]
          console.log(`\nfrom ${place.filter(Boolean).join(', ')}:\n  ${short(text, 300)}`)
        }
        console.log('\nThe score, in log-odds:')
        for (const { name, value, contribution } of why.parts.toSorted(byWeight))
          console.log(`  ${contribution >= 0 ? '+' : '−'}${Math.abs(contribution).toFixed(2)}  ${name} (${value})`)
        for (const { text } of why.left_out)
          console.log(`\ndropped a sentence that this contradicts: ${short(text, 160)}`)
        for (const { title, text, score } of why.near_misses)
          console.log(`\nnear miss ${score.toFixed(2)} ${title}: ${short(text, 160)}`)
      }),
    )

  program
    .command('judge <domain-name> <reply-id>')
    .description('say whether a reply was right')
    .addOption(new Option('--right', 'it was').conflicts(['wrong', 'none']))
    .addOption(new Option('--wrong', 'it was not').conflicts(['right', 'none']))
    .addOption(new Option('--none', 'take a verdict back').conflicts(['right', 'wrong']))
    .action((domainName: string, id: string, options: Verdict) =>
      run(async ({ admin }) => {
        const { label } = await admin.labelReply({ domain_name: domainName, id, right: verdictOf(options) })
        console.log(label ? `Judged ${label}.` : 'The verdict was taken back.')
      }),
    )

  program
    .command('calibrate <domain-name>')
    .description("fit a persona's score to its owner's verdicts, and show before and after")
    .option('--reset', 'back to the shipped score')
    .option('--json', 'print JSON')
    .action((domainName: string, options: Options) =>
      run(async ({ admin }) => {
        const outcome = await admin.calibratePersona({ domain_name: domainName, reset: options.reset ?? false })
        if (options.json) return console.log(JSON.stringify(outcome, null, 2))
        console.log(outcome.note)
        const { before, after, labels } = outcome
        if (!before || !after) return
        printTable([
          {
            '': 'before',
            'calibration error': rounded(before.calibration_error),
            'Brier score': rounded(before.brier),
          },
          { '': 'after', 'calibration error': rounded(after.calibration_error), 'Brier score': rounded(after.brier) },
        ])
        console.log(`${labels} verdicts. Smaller is better; "after" is on verdicts held out of the fit.`)
      }),
    )
}

type Verdict = { right?: boolean; wrong?: boolean; none?: boolean }

function verdictOf({ right, wrong, none }: Verdict): boolean | null {
  if (!right && !wrong && !none)
    throw new AppError('invalid', 'Was it right? Add --right or --wrong; --none takes a verdict back.')
  return none ? null : right === true
}

const byWeight = (one: { contribution: number }, two: { contribution: number }): number =>
  Math.abs(two.contribution) - Math.abs(one.contribution)
const rounded = (value: number): string => value.toFixed(3)
