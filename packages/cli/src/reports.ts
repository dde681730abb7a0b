import { ReportOperatorDefinition, type ReportSummary } from '@rookery/contracts/statuses'
import { onOneLine } from './printable.ts'
import { operatorCall, type Servers } from './servers.ts'
import type { Subcommand } from './subcommand.ts'

const reportsOf = (servers: Servers) => servers.of('statuses', ReportOperatorDefinition)

const lineOf = ({ report, username, targetUsername }: ReportSummary): string => {
  if (!report) return ''
  const { id, category, statusIds, ruleIds, comment, createdAtMilliseconds, actionTakenAtMilliseconds } = report
  const parts = [
    id,
    new Date(createdAtMilliseconds).toISOString(),
    `${username} on ${targetUsername}`,
    ruleIds.length > 0 ? `${category} of rules ${ruleIds.join(', ')}` : category,
    ...(statusIds.length > 0 ? [`statuses ${statusIds.join(', ')}`] : []),
    ...(actionTakenAtMilliseconds === undefined ? [] : ['resolved']),
    ...(comment ? [onOneLine(comment)] : []),
  ]
  return parts.join('  ')
}

const list: Subcommand = {
  usage: 'list',
  summary: 'Lists reports, the latest first; with --all also resolved ones.',
  options: { '--all': 'resolved reports too' },
  async run(servers, { options }) {
    const { reports } = await (await reportsOf(servers)).list(operatorCall(), { withResolved: options['all'] === true })
    return { lines: reports.length > 0 ? reports.map(lineOf) : ['There are no reports.'], json: reports }
  },
}

const resolve: Subcommand = {
  usage: 'resolve <id>',
  summary: 'Notes that something was done about a report.',
  async run(servers, { operands }) {
    const id = operands[0] ?? ''
    await (await reportsOf(servers)).resolve(operatorCall(), { id })
    return { lines: [`Report ${id} is resolved.`], json: { id } }
  },
}

export const REPORT_COMMANDS: readonly Subcommand[] = [list, resolve]
