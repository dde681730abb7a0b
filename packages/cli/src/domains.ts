import { writeFileSync } from 'node:fs'
import {
  type AllowedDomain,
  AllowedDomainsDefinition,
  type BlockedDomain,
  type BlockedDomainSettings,
  BlockedDomainsDefinition,
  type DomainImport,
  DomainImportsDefinition,
} from '@rookery/contracts/federation'
import { CSV_HEADER, csvLineOf, domainLines, typedDomain } from '@rookery/domain-names'
import { everyRecord } from './every-record.ts'
import type { Servers } from './servers.ts'
import { operatorCall } from './servers.ts'
import type { CommandOutput, ParsedArguments, Subcommand } from './subcommand.ts'
import { typedTextFile } from './typed-file.ts'

const blocksOf = (servers: Servers) => servers.of('federation', BlockedDomainsDefinition)
const allowsOf = (servers: Servers) => servers.of('federation', AllowedDomainsDefinition)
const importsOf = (servers: Servers) => servers.of('federation', DomainImportsDefinition)

const everyBlock = async (servers: Servers): Promise<BlockedDomain[]> => {
  const client = await blocksOf(servers)
  return everyRecord(async (page) => {
    const { blocks, cursors } = await client.list(operatorCall(), { page })
    return { records: blocks, cursors }
  })
}

const everyAllow = async (servers: Servers): Promise<AllowedDomain[]> => {
  const client = await allowsOf(servers)
  return everyRecord(async (page) => {
    const { allows, cursors } = await client.list(operatorCall(), { page })
    return { records: allows, cursors }
  })
}

/** @throws Error for a domain that is not on the list */
const named = <Found extends { domain: string }>(found: readonly Found[], typed: ParsedArguments): Found => {
  const domain = typedDomain(typed.operands[0] ?? '')
  const record = found.find((each) => each.domain === domain)
  if (!record) throw new Error(`${domain} is not on the list.`)
  return record
}

const marksOf = ({ rejectMedia, rejectReports, obfuscate }: BlockedDomain) =>
  [rejectMedia && 'rejects media', rejectReports && 'rejects reports', obfuscate && 'obfuscated'].filter(Boolean).join(', ')

const lineOf = (block: BlockedDomain) => [block.domain, block.severity, marksOf(block), block.publicComment ?? ''].join('\t')

const list: Subcommand = {
  usage: 'list',
  summary: 'Lists limited domains: domain, severity, what else is rejected, public comment.',
  async run(servers) {
    const blocks = await everyBlock(servers)
    return { lines: blocks.length > 0 ? blocks.map(lineOf) : ['No domain is limited.'], json: blocks }
  },
}

const SETTINGS = {
  '--severity <severity>': 'silence, suspend or noop',
  '--reject-media': 'show none of its pictures and files',
  '--accept-media': 'show them again',
  '--reject-reports': 'ignore its reports',
  '--accept-reports': 'take them again',
  '--obfuscate': 'hide a part of the name in public',
  '--show': 'show the whole name in public',
  '--comment <text>': 'for staff',
  '--public-comment <text>': 'for everyone',
}

/** @throws Error if both options of a choice are given */
const chosen = ({ options }: ParsedArguments, yes: string, no: string): boolean | undefined => {
  if (options[yes] && options[no]) throw new Error('Take one of two options that contradict each other.')
  if (options[yes]) return true
  return options[no] ? false : undefined
}

const optional = (typed: ParsedArguments, name: string): string | undefined => {
  const value = typed.options[name]
  return typeof value === 'string' ? value : undefined
}

const settingsOf = (typed: ParsedArguments): BlockedDomainSettings => ({
  severity: optional(typed, 'severity'),
  rejectMedia: chosen(typed, 'rejectMedia', 'acceptMedia'),
  rejectReports: chosen(typed, 'rejectReports', 'acceptReports'),
  obfuscate: chosen(typed, 'obfuscate', 'show'),
  privateComment: optional(typed, 'comment'),
  publicComment: optional(typed, 'publicComment'),
})

const said = (block: BlockedDomain | undefined, sentence: (block: BlockedDomain) => string): CommandOutput => {
  if (!block) throw new Error('The server did not say what it did.')
  return { lines: [sentence(block)], json: block }
}

const block: Subcommand = {
  usage: 'block <domain>',
  summary: 'Limits a domain and those below it; without --severity it is silenced.',
  options: SETTINGS,
  async run(servers, typed) {
    const request = { domain: typed.operands[0] ?? '', settings: settingsOf(typed), staffId: '' }
    const created = await (await blocksOf(servers)).create(operatorCall(), request)
    if (created.isExisting) throw new Error(`${created.block?.domain} is limited as strictly already.`)
    return said(created.block, ({ domain, severity }) => `${domain} is limited: ${severity}.`)
  },
}

const change: Subcommand = {
  usage: 'change <domain>',
  summary: 'Changes the limits of a domain; what is not named stays.',
  options: SETTINGS,
  async run(servers, typed) {
    const { id } = named(await everyBlock(servers), typed)
    const changed = await (await blocksOf(servers)).change(operatorCall(), { id, settings: settingsOf(typed), staffId: '' })
    return said(changed, (each) => `${each.domain} is limited: ${[each.severity, marksOf(each)].filter(Boolean).join(', ')}.`)
  },
}

const unblock: Subcommand = {
  usage: 'unblock <domain>',
  summary: 'Ends the limits of a domain.',
  async run(servers, typed) {
    const found = named(await everyBlock(servers), typed)
    await (await blocksOf(servers)).delete(operatorCall(), { id: found.id, staffId: '' })
    return said(found, ({ domain }) => `${domain} is not limited any more.`)
  },
}

const allowed: Subcommand = {
  usage: 'allowed',
  summary: 'Lists the domains that this server speaks with where it speaks with listed ones only (FEDERATION_MODE).',
  async run(servers) {
    const allows = await everyAllow(servers)
    return { lines: allows.length > 0 ? allows.map(({ domain }) => domain) : ['No domain is allowed.'], json: allows }
  },
}

const allow: Subcommand = {
  usage: 'allow <domain>',
  summary: 'Adds a domain to that list.',
  async run(servers, { operands }) {
    const added = await (await allowsOf(servers)).create(operatorCall(), { domain: operands[0] ?? '', staffId: '' })
    return { lines: [`${added.domain} is allowed.`], json: added }
  },
}

const disallow: Subcommand = {
  usage: 'disallow <domain>',
  summary: 'Takes a domain off that list.',
  async run(servers, typed) {
    const { id } = named(await everyAllow(servers), typed)
    const removed = await (await allowsOf(servers)).delete(operatorCall(), { id, staffId: '' })
    return { lines: [`${removed.domain} is not allowed any more.`], json: removed }
  },
}

const csvOf = (found: BlockedDomain) =>
  csvLineOf({
    domain: found.domain,
    severity: found.severity,
    reject_media: found.rejectMedia,
    reject_reports: found.rejectReports,
    public_comment: found.publicComment ?? '',
    obfuscate: found.obfuscate,
  })

const exported: Subcommand = {
  usage: 'export [file]',
  summary: 'Writes the limited domains as CSV, in the form that servers exchange: into a file, or here.',
  async run(servers, { operands: [file] }) {
    const blocks = await everyBlock(servers)
    const lines = [CSV_HEADER, ...blocks.map(csvOf)]
    if (!file) return { lines: lines.map((line) => line.trimEnd()), json: blocks }
    writeFileSync(file, lines.join(''))
    return { lines: [`${blocks.length} domains are in ${file}.`], json: { file, domains: blocks.length } }
  },
}

/** Lines per call, as on the staff page. */
const PART = 1000

const imported: Subcommand = {
  usage: 'import <file>',
  summary: 'Takes a list of domains to limit, as CSV or one on each line; a job works it off, and `imports` says how far it is.',
  async run(servers, { operands: [file = ''] }) {
    const lines = [...domainLines(typedTextFile(file))]
    if (lines.length === 0) throw new Error(`${file} names no domains.`)
    const client = await importsOf(servers)
    const { id } = await client.create(operatorCall(), { staffId: '' })
    for (let first = 0; first < lines.length; first += PART) {
      await client.append(operatorCall(), { id, first, lines: lines.slice(first, first + PART) })
    }
    await client.start(operatorCall(), { id, staffId: '' })
    return { lines: [`List ${id} with ${lines.length} domains is being worked off.`], json: { id, lines: lines.length } }
  },
}

const progressOf = ({ id, lines, done, known, invalid, isFinished }: DomainImport) =>
  [id, isFinished ? 'finished' : `${done} of ${lines}`, `${known} known`, `${invalid} not understood`].join('\t')

const imports: Subcommand = {
  usage: 'imports',
  summary: 'Lists the latest lists of domains: number, how far it is, how many were limited already or not understood.',
  async run(servers) {
    const { imports: found } = await (await importsOf(servers)).list(operatorCall(), {})
    return { lines: found.length > 0 ? found.map(progressOf) : ['There are no lists.'], json: found }
  },
}

export const DOMAIN_COMMANDS: readonly Subcommand[] = [list, block, change, unblock, allowed, allow, disallow, exported, imported, imports]
