import { Failure } from '@rookery/failures'
import { Command, CommanderError } from 'commander'
import { ACCOUNT_LIFE_COMMANDS } from './account-lifecycle.ts'
import { ACCOUNT_COMMANDS } from './accounts.ts'
import { ADDRESS_COMMANDS } from './addresses.ts'
import { ANNOUNCEMENT_COMMANDS } from './announcements.ts'
import { APP_COMMANDS } from './apps.ts'
import { AUDIT_COMMANDS } from './audit.ts'
import { readCommandConfig } from './config.ts'
import { doctor } from './doctor.ts'
import { DOMAIN_COMMANDS } from './domains.ts'
import { EMOJI_COMMANDS } from './emojis.ts'
import { EVENT_COMMANDS } from './events.ts'
import { FEDERATION_COMMANDS } from './federation.ts'
import { FEED_COMMANDS } from './feeds.ts'
import { JOB_COMMANDS } from './jobs.ts'
import { MEDIA_COMMANDS } from './media.ts'
import { printable, printableJson } from './printable.ts'
import { REPORT_COMMANDS } from './reports.ts'
import { findServers } from './servers.ts'
import { RULE_COMMANDS, SETTING_COMMANDS, TERMS_COMMANDS } from './settings.ts'
import { STATUS_COMMANDS } from './statuses.ts'
import type { CommandOutput, Group, ParsedArguments, Subcommand } from './subcommand.ts'
import { SUGGESTION_COMMANDS } from './suggestions.ts'
import { TOKEN_COMMANDS } from './tokens.ts'
import { TREND_COMMANDS } from './trends.ts'

const GROUPS: readonly Group[] = [
  { name: 'accounts', summary: 'Accounts and their logins.', subcommands: [...ACCOUNT_COMMANDS, ...ACCOUNT_LIFE_COMMANDS] },
  { name: 'tokens', summary: 'Access tokens of apps.', subcommands: TOKEN_COMMANDS },
  { name: 'apps', summary: 'Apps that are registered.', subcommands: APP_COMMANDS },
  { name: 'emoji', summary: 'Custom emojis.', subcommands: EMOJI_COMMANDS },
  { name: 'suggestions', summary: 'Accounts that are suggested to everyone.', subcommands: SUGGESTION_COMMANDS },
  { name: 'trends', summary: 'Tags, links and statuses that trend.', subcommands: TREND_COMMANDS },
  { name: 'statuses', summary: 'Posts that people should not see.', subcommands: STATUS_COMMANDS },
  { name: 'reports', summary: 'Reports to the moderators.', subcommands: REPORT_COMMANDS },
  { name: 'audit', summary: 'What staff and operators did.', subcommands: AUDIT_COMMANDS },
  { name: 'domains', summary: 'Domains of other servers that are limited or allowed.', subcommands: DOMAIN_COMMANDS },
  {
    name: 'addresses',
    summary: 'E-mail providers, networks and mailboxes that are kept from signing up, or out.',
    subcommands: ADDRESS_COMMANDS,
  },
  { name: 'settings', summary: 'What the server says of itself.', subcommands: SETTING_COMMANDS },
  { name: 'rules', summary: 'Rules of the server.', subcommands: RULE_COMMANDS },
  { name: 'terms', summary: 'Terms of service.', subcommands: TERMS_COMMANDS },
  { name: 'announcements', summary: 'What is announced to everyone on the server.', subcommands: ANNOUNCEMENT_COMMANDS },
  { name: 'feeds', summary: 'Stored home feeds.', subcommands: FEED_COMMANDS },
  { name: 'federation', summary: 'Other servers, and what waits for them.', subcommands: FEDERATION_COMMANDS },
  { name: 'media', summary: 'Files of attachments.', subcommands: MEDIA_COMMANDS },
  { name: 'jobs', summary: 'Jobs that failed for good.', subcommands: JOB_COMMANDS },
  { name: 'events', summary: 'Events that consumers could not handle.', subcommands: EVENT_COMMANDS },
]

/** The output of a command; tests capture it. */
export type Terminal = { print(line: string): void; complain(line: string): void }

const DESCRIPTION = 'Administers a running server, on the machine it runs on.'
const DATA_FOLDER = '\nDATA_DIR names the data folder of the server; .rookery unless set.'

/** The message of an error for the operator. */
const sentenceOf = (error: unknown) => {
  if (!(error instanceof Failure)) return (error as Error).message
  return error.kind === 'unavailable' ? 'The server cannot be reached, or a part of it that this needs is down.' : error.message
}

/** The commands of all groups; `act` runs the one that was typed. */
const programOf = (terminal: Terminal, act: (run: Subcommand['run'], typed: ParsedArguments) => Promise<void>) => {
  const program = new Command('rookery')
    .description(DESCRIPTION)
    .addHelpText('after', DATA_FOLDER)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(printableLines(text)),
      writeErr: (text) => terminal.complain(printableLines(text)),
    })
  const addTo = (parent: Command, each: Subcommand) => {
    const command = parent.command(each.usage).description(each.summary)
    for (const [option, meaning] of Object.entries(each.options ?? {})) command.option(option, meaning)
    command.option('--json', 'print JSON, for scripts')
    command.allowUnknownOption(each.takesDashes ?? false)
    command.action(() => act(each.run, { operands: command.processedArgs.flat().filter(isText), options: command.opts() }))
  }
  addTo(program, doctor)
  for (const { name, summary, subcommands } of GROUPS) {
    const group = program.command(name).description(summary)
    for (const each of subcommands) addTo(group, each)
  }
  return program
}

const isText = (value: unknown) => typeof value === 'string'
const printableLines = (text: string) => text.trimEnd().split('\n').map(printable).join('\n')

const printOutput = (terminal: Terminal, { lines, json }: CommandOutput, isForScripts: boolean) => {
  if (isForScripts) terminal.print(printableJson(json))
  else for (const line of lines) terminal.print(printable(line))
}

/** Runs a subcommand. Returns the exit code. */
export const runCommand = async (words: readonly string[], terminal: Terminal, dataDir = readCommandConfig().dataDir): Promise<number> => {
  const servers = findServers(dataDir)
  let code = 0
  const program = programOf(terminal, async (run, typed) => {
    const said = await run(servers, typed)
    printOutput(terminal, said, typed.options['json'] === true)
    code = said.hasFailed ? 1 : 0
  })
  try {
    await program.parseAsync(words, { from: 'user' })
    return code
  } catch (error) {
    // Commander has already printed its message.
    if (error instanceof CommanderError) return error.exitCode
    for (const line of sentenceOf(error).split('\n')) terminal.complain(printable(line))
    return 1
  } finally {
    servers.close()
  }
}
