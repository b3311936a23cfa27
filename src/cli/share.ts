// `memoir persona share`: a page for people without keys, and the line that puts it on a web site.
import type { Command } from 'commander'
import { AppError } from '../domain/errors.ts'
import type { Run } from './connection.ts'

type Options = { off?: boolean; origins?: string; sources?: boolean; message?: string; json?: boolean }

export function shareCommand(persona: Command, run: Run): void {
  persona
    .command('share <domain-name>')
    .description('share a persona with people who have no key: a page with its own address')
    .option('--off', 'share it no longer')
    .option(
      '--origins <list>',
      "sites that may embed the page, such as https://example.com,https://example.org; 'none'",
    )
    .option('--sources', 'show visitors the titles of the documents a reply rests on')
    .option('--no-sources', 'show no titles')
    .option('--message <text>', 'what visitors read in place of a withheld reply')
    .option('--json', 'print JSON')
    .action((domainName: string, options: Options) =>
      run(async ({ admin, url }) => {
        const { sharing, domain_name } = await admin.changePersona({
          domain_name: domainName,
          sharing: sharingOf(options),
        })
        if (options.json) return console.log(JSON.stringify({ domain_name, ...sharing }, null, 2))
        if (!sharing.on) return console.log(`${domain_name} is not shared.`)
        console.log(`The page:\n  ${url}/talk/${domain_name}`)
        if (sharing.origins.length === 0)
          return console.log('No other site may embed it: name those that may with --origins.')
        console.log(`On ${sharing.origins.join(', ')}:\n  ${embedLine(url, domain_name)}`)
      }),
    )
}

const embedLine = (url: string, domainName: string): string =>
  `<script src="${url}/embed.js" data-persona="${domainName}" async></script>`

function sharingOf({ off, origins, sources, message }: Options) {
  if (off && (origins ?? sources ?? message) !== undefined)
    throw new AppError('invalid', '--off takes no other options.')
  if (off) return { on: false }
  return {
    on: true,
    ...(origins !== undefined && { origins: origins === 'none' ? [] : origins.split(',') }),
    ...(sources !== undefined && { show_sources: sources }),
    ...(message !== undefined && { default_message: message }),
  }
}
