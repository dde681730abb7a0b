import { type Trend, TrendKind, TrendOperatorDefinition, TrendReview } from '@rookery/contracts/statuses'
import { operatorCall, type Servers } from './servers.ts'
import type { Subcommand } from './subcommand.ts'

const KINDS: Readonly<Record<string, TrendKind>> = {
  tag: TrendKind.TAG,
  link: TrendKind.LINK,
  status: TrendKind.STATUS,
  publisher: TrendKind.PUBLISHER,
}
const NAMES: Readonly<Record<number, string>> = Object.fromEntries(Object.entries(KINDS).map(([name, kind]) => [kind, name]))
const REVIEWS: Partial<Record<TrendReview, string>> = { [TrendReview.APPROVED]: 'approved', [TrendReview.REJECTED]: 'rejected' }

const trendsOf = (servers: Servers) => servers.of('statuses', TrendOperatorDefinition)

/** @throws Error for an unknown kind */
const kindOf = (word = ''): TrendKind => {
  const kind = KINDS[word]
  if (kind === undefined) throw new Error(`${word} is none of tag, link, status and publisher.`)
  return kind
}

const nameOf = ({ kind, name }: Trend) => (kind === TrendKind.TAG ? `#${name}` : name)
const entryOf = ({ kind, name, title, review }: Trend) => ({ kind: NAMES[kind], name, title, review: REVIEWS[review] ?? 'none' })

const lineOf = (trend: Trend) => {
  const { kind, title, review } = trend
  return [NAMES[kind], nameOf(trend), ...(title ? [title] : []), REVIEWS[review] ?? 'not reviewed'].join('  ')
}

const list: Subcommand = {
  usage: 'list [kind]',
  summary:
    'Lists what trends, or what does of a kind (tag, link, status), the highest score first; and publishers, the sites of links that trended.',
  async run(servers, { operands }) {
    const kinds = operands[0] === undefined ? Object.values(KINDS) : [kindOf(operands[0])]
    const client = await trendsOf(servers)
    const found = await Promise.all(kinds.map((kind) => client.list(operatorCall(), { kind })))
    const trends = found.flatMap((each) => each.trends)
    return { lines: trends.length > 0 ? trends.map(lineOf) : ['Nothing trends.'], json: trends.map(entryOf) }
  },
}

const review = (verb: string, summary: string, isApproved: boolean): Subcommand => ({
  usage: `${verb} <kind> <name>`,
  summary,
  async run(servers, { operands: [kind, name = ''] }) {
    const decided = await (await trendsOf(servers)).review(operatorCall(), { kind: kindOf(kind), name, isApproved })
    return { lines: [`${nameOf(decided)} ${isApproved ? 'may trend' : 'never trends'}.`], json: entryOf(decided) }
  },
})

export const TREND_COMMANDS: readonly Subcommand[] = [
  list,
  review(
    'approve',
    'Approves a tag by its name, a link by its address, a status by its id or a publisher by its domain: it, or links to it, may trend.',
    true,
  ),
  review('reject', 'Rejects one: it never trends.', false),
]
