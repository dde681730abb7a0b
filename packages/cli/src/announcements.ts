import { AnnouncementOperatorDefinition, type AnnouncementRecord, Publication } from '@rookery/contracts/statuses'
import type { Call, Client } from '@rookery/rpc'
import { isCalendarDay } from '@rookery/runtime'
import { onOneLine } from './printable.ts'
import { operatorCall, type Servers } from './servers.ts'
import { type ParsedArguments, type Subcommand, textOf } from './subcommand.ts'

const announcementsOf = (servers: Servers) => servers.of('statuses', AnnouncementOperatorDefinition)

/**
 * Parses a time in ISO 8601, by default UTC, to milliseconds since 1970; a day alone is its first or its last millisecond.
 * @throws Error for anything else
 */
const momentOf = (typed: string, option: string): number => {
  const clock = option === 'ends-at' ? 'T23:59:59.999Z' : 'T00:00:00.000Z'
  const text = isCalendarDay(typed) ? `${typed}${clock}` : typed.replace(/(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/, '$1Z')
  const moment = isCalendarDay(text.slice(0, 10)) && text[10] === 'T' ? Date.parse(text) : Number.NaN
  if (Number.isNaN(moment)) throw new Error(`--${option} takes a day or a moment, as 2026-12-24 or 2026-12-24T18:00Z.`)
  return moment
}

const NONE = 'none'

/** The time of an option; undefined without it. */
const typedMoment = (typed: ParsedArguments, name: string, option: string): number | undefined => {
  const text = textOf(typed, name)
  return text ? momentOf(text, option) : undefined
}

/** The change of a time: undefined for none, another time, or the removal. */
const changedMoment = (typed: ParsedArguments, name: string, option: string) => {
  if (textOf(typed, name) === NONE) return { atMilliseconds: undefined }
  const atMilliseconds = typedMoment(typed, name, option)
  return atMilliseconds === undefined ? undefined : { atMilliseconds }
}

const timeOf = (milliseconds: number | undefined) => (milliseconds === undefined ? '' : new Date(milliseconds).toISOString())

const lineOf = ({ id, state, startsAtMilliseconds, endsAtMilliseconds, text }: AnnouncementRecord) =>
  [id, state, timeOf(startsAtMilliseconds), timeOf(endsAtMilliseconds), onOneLine(text)].join('\t')

const sentenceOf = ({ id, state, publishAtMilliseconds }: AnnouncementRecord) =>
  state === 'scheduled' ? `Announcement ${id} will be published at ${timeOf(publishAtMilliseconds)}.` : `Announcement ${id} is ${state}.`

const said = (record: AnnouncementRecord) => ({ lines: [sentenceOf(record)], json: record })

const list: Subcommand = {
  usage: 'list',
  summary: 'Lists announcements, the latest first: id, state, start, end, text.',
  async run(servers) {
    const { announcements } = await (await announcementsOf(servers)).list(operatorCall(), {})
    return { lines: announcements.length > 0 ? announcements.map(lineOf) : ['There are no announcements.'], json: announcements }
  },
}

const TIMES = 'a day or a moment in UTC, as 2026-12-24 or 2026-12-24T18:00'

const create: Subcommand = {
  usage: 'create <text>',
  summary: 'Announces something to everyone on the server: at its start, or at once when it has none.',
  options: {
    '--starts-at <time>': `when it starts: ${TIMES}`,
    '--ends-at <time>': 'when it ends, after which it is shown no more; a day alone ends with that day',
    '--all-day': 'say that its times mean days',
    '--now': 'publish it at once, whenever it starts',
    '--draft': 'do not publish it yet',
  },
  async run(servers, typed) {
    const { options, operands } = typed
    if (options['now'] && options['draft']) throw new Error('Take either --now or --draft.')
    const early = options['now'] ? Publication.AT_ONCE : Publication.UNSPECIFIED
    const request = {
      text: operands[0] ?? '',
      startsAtMilliseconds: typedMoment(typed, 'startsAt', 'starts-at'),
      endsAtMilliseconds: typedMoment(typed, 'endsAt', 'ends-at'),
      allDay: options['allDay'] === true,
      publication: options['draft'] ? Publication.LATER : early,
    }
    return said(await (await announcementsOf(servers)).create(operatorCall(), request))
  },
}

const allDayOf = ({ options }: ParsedArguments): boolean | undefined => {
  if (options['allDay'] && options['times']) throw new Error('Take either --all-day or --times.')
  if (options['allDay']) return true
  return options['times'] ? false : undefined
}

const change: Subcommand = {
  usage: 'change <id>',
  summary: 'Changes an announcement; one that waits for its start moves with it, and one that has ended is shown again by a later end.',
  options: {
    '--text <text>': 'what it says',
    '--starts-at <time>': `when it starts: ${TIMES}, or ${NONE}`,
    '--ends-at <time>': `when it ends, or ${NONE}`,
    '--all-day': 'say that its times mean days',
    '--times': 'say that its times mean moments',
  },
  async run(servers, typed) {
    const text = typed.options['text']
    const request = {
      id: typed.operands[0] ?? '',
      text: typeof text === 'string' ? text : undefined,
      startsAt: changedMoment(typed, 'startsAt', 'starts-at'),
      endsAt: changedMoment(typed, 'endsAt', 'ends-at'),
      allDay: allDayOf(typed),
    }
    return said(await (await announcementsOf(servers)).change(operatorCall(), request))
  },
}

type Act = (operator: Client<AnnouncementOperatorDefinition>, call: Call, request: { id: string }) => Promise<AnnouncementRecord>

const acting = (usage: string, summary: string, act: Act): Subcommand => ({
  usage,
  summary,
  run: async (servers, { operands }) => said(await act(await announcementsOf(servers), operatorCall(), { id: operands[0] ?? '' })),
})

const publish = acting('publish <id>', 'Shows an announcement at once, whenever it starts.', (operator, call, request) =>
  operator.publish(call, request),
)

const withdraw = acting(
  'withdraw <id>',
  'Takes an announcement back, or off the schedule; its reactions, and who has read it, are kept.',
  (operator, call, request) => operator.withdraw(call, request),
)

const remove: Subcommand = {
  usage: 'delete <id>',
  summary: 'Deletes an announcement with its reactions for good.',
  async run(servers, { operands }) {
    const record = await (await announcementsOf(servers)).delete(operatorCall(), { id: operands[0] ?? '' })
    return { lines: [`Announcement ${record.id} is deleted.`], json: record }
  },
}

export const ANNOUNCEMENT_COMMANDS: readonly Subcommand[] = [create, list, change, publish, withdraw, remove]
