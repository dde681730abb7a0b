import { parseArgs } from 'node:util'
import { Failure } from '@rookery/failures'
import { ACCOUNT_LIFE_COMMANDS } from './account-life.ts'
import { ACCOUNT_COMMANDS } from './accounts.ts'
import { readCommandConfig } from './config.ts'
import { EMOJI_COMMANDS } from './emojis.ts'
import { EVENT_COMMANDS } from './events.ts'
import { FEED_COMMANDS } from './feeds.ts'
import { MEDIA_COMMANDS } from './media.ts'
import { printable, printableJson } from './printable.ts'
import { REPORT_COMMANDS } from './reports.ts'
import { findServers } from './servers.ts'
import type { Subcommand, Typed } from './subcommand.ts'
import { SUGGESTION_COMMANDS } from './suggestions.ts'
import { TOKEN_COMMANDS } from './tokens.ts'

const SUBCOMMANDS: readonly Subcommand[] = [
  ...ACCOUNT_COMMANDS,
  ...ACCOUNT_LIFE_COMMANDS,
  ...TOKEN_COMMANDS,
  ...EMOJI_COMMANDS,
  ...SUGGESTION_COMMANDS,
  ...REPORT_COMMANDS,
  ...FEED_COMMANDS,
  ...MEDIA_COMMANDS,
  ...EVENT_COMMANDS,
]

/** Where a command writes; a test listens there. */
export type Terminal = { print(line: string): void; complain(line: string): void }

const lineOf = ({ name, usage }: Subcommand) => `rookery ${name} ${usage}`.trim()

const help = () =>
  [
    'What the person who runs the server can do, while it runs, on the machine it runs on.',
    '',
    ...SUBCOMMANDS.flatMap((each) => [`  ${lineOf(each)}`, `      ${each.summary}`]),
    '',
    '  --json   prints for scripts instead of people',
    '  --help   prints this',
    '',
    'DATA_DIR names the data folder of the server that is meant; .rookery unless set.',
  ].join('\n')

/** @throws Error when the words do not fit the subcommand */
const typedFor = (subcommand: Subcommand, words: string[]): Typed => {
  const { values, positionals } = parseArgs({
    args: words,
    options: { ...subcommand.options, json: { type: 'boolean' } },
    allowPositionals: true,
  })
  const [least, most] = subcommand.operands
  if (positionals.length < least || positionals.length > most) throw new Error(`It is used like this: ${lineOf(subcommand)}`)
  return { operands: positionals, options: values as Typed['options'] }
}

/** What a person can make of an error. */
const sentenceOf = (error: unknown) => {
  if (!(error instanceof Failure)) return (error as Error).message
  return error.kind === 'unavailable' ? 'The server cannot be reached, or a part of it that this needs is down.' : error.message
}

/** Runs one subcommand. Answers with the exit code. */
export const runCommand = async (words: readonly string[], terminal: Terminal, dataDir = readCommandConfig().dataDir): Promise<number> => {
  if (words.length === 0 || words.includes('--help')) {
    terminal.print(help())
    return words.length === 0 ? 1 : 0
  }
  const subcommand = SUBCOMMANDS.find(({ name }) => name === words.slice(0, 2).join(' '))
  if (!subcommand) {
    terminal.complain(`There is no command ${words.slice(0, 2).join(' ')}. See --help.`)
    return 1
  }
  const servers = findServers(dataDir)
  try {
    const typed = typedFor(subcommand, words.slice(2))
    const { lines, json, hasFailed } = await subcommand.run(servers, typed)
    if (typed.options['json']) terminal.print(printableJson(json))
    else for (const line of lines) terminal.print(printable(line))
    return hasFailed ? 1 : 0
  } catch (error) {
    for (const line of sentenceOf(error).split('\n')) terminal.complain(printable(line))
    return 1
  } finally {
    servers.close()
  }
}
