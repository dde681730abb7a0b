import type { Measured } from '@rookery/contracts/common'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { cohortEntity, dimensionEntity, measureEntity } from '@rookery/entities'
import { invalid } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { z } from 'zod'
import type { Clients } from '../clients.ts'
import { Staff } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { form, hash, limit, text, textList } from '../http/fields.ts'
import { momentOf } from '../http/moment.ts'
import { VERSION } from '../version.ts'

const access = Staff(PERMISSIONS.viewDashboard, 'admin:read')
const DAY = 86_400_000
/** The maximum and the default number of days of a range. */
const MAX_DAYS = 366
const STANDARD_DAYS = 30

const OF_TAGS = ['tag_accounts', 'tag_uses', 'tag_servers'] as const
const OF_SERVERS = [
  ...['instance_accounts', 'instance_media_attachments', 'instance_reports'],
  ...['instance_statuses', 'instance_follows', 'instance_followers'],
] as const
const range = { start_at: text(), end_at: text() }
const measured = form({
  keys: textList(),
  ...range,
  ...Object.fromEntries([...OF_TAGS, ...OF_SERVERS].map((key) => [key, hash()])),
})

/** @throws Failure invalid for an invalid time */
const dayOf = (typed: string | undefined, label: string): number | undefined => {
  if (!typed) return undefined
  const moment = momentOf(typed)
  if (moment === undefined) throw invalid(`${label} is not a valid date`)
  return Math.floor(moment / DAY)
}

/** The range in days since 1970; one that is too long is cut to its last days. @throws Failure invalid */
const daysOf = ({ start_at, end_at }: { start_at?: string | undefined; end_at?: string | undefined }, now: number) => {
  const lastDay = dayOf(end_at, 'End at') ?? Math.floor(now / DAY)
  const firstDay = dayOf(start_at, 'Start at') ?? lastDay - STANDARD_DAYS + 1
  if (firstDay > lastDay) throw invalid('Start at must be before end at')
  return { firstDay: Math.max(firstDay, lastDay - MAX_DAYS + 1), lastDay }
}

/** The keys with their subjects: each key has its own parameters for a tag or domain. */
const subjectsOf = (keys: readonly string[], input: Readonly<Record<string, unknown>>): Measured[] =>
  [...new Set(keys)].map((key) => {
    const given = (Object.hasOwn(input, key) ? input[key] : undefined) as Record<string, unknown> | undefined
    const subject = given?.['id'] ?? given?.['domain']
    return {
      key,
      subject: typeof subject === 'string' || typeof subject === 'number' ? String(subject).trim().toLowerCase() : '',
      includesSubdomains: /^(1|t|true|on)$/i.test(String(given?.['include_subdomains'] ?? '')),
    }
  })

/** Sorts records into the order of the requested keys. */
const inKeyOrder = <Found extends { key: string }>(keys: readonly string[], found: readonly Found[]): Found[] => {
  const byKey = new Map(found.map((each) => [each.key, each]))
  return [...new Set(keys)].flatMap((key) => byKey.get(key) ?? [])
}

/** Cached files of other servers are not counted by server. */
const storedOfServer = (measures: readonly Measured[]) =>
  measures
    .filter(({ key }) => key === 'instance_media_attachments')
    .map(({ key }) => ({ key, total: 0, previousTotal: undefined, days: [] }))

export const readMeasures = endpoint({
  method: 'POST',
  path: '/api/v1/admin/measures',
  access,
  summary: 'Numbers over a range of days, by key.',
  input: measured,
  handle: async ({ call, input }, { loginMeasures, statusMeasures, clock }) => {
    const days = daysOf(input, clock.now())
    const measures = subjectsOf(input.keys, input)
    const found = await Promise.all([loginMeasures, statusMeasures].map((service) => service.readMeasures(call, { measures, ...days })))
    const all = [...found.flatMap((each) => each.measures), ...storedOfServer(measures)]
    return inKeyOrder(input.keys, all).map((measure) => measureEntity(measure, days))
  },
})

const dimensioned = form({
  keys: textList(),
  ...range,
  limit: limit({ standard: 10, max: 100 }),
  ...Object.fromEntries(['tag_servers', 'tag_languages', 'instance_accounts', 'instance_languages'].map((key) => [key, hash()])),
})

type Dimensioned = z.output<typeof dimensioned>

/** A service that does not answer is left out. */
const absent = () => undefined

const backlogsOf = async (call: Call, { authBacklog, statusesBacklog, mediaBacklog, notificationsBacklog, federationBacklog }: Clients) => {
  const services = [authBacklog, statusesBacklog, mediaBacklog, notificationsBacklog, federationBacklog]
  const found = await Promise.all(services.map((service) => service.read(call, {}).catch(absent)))
  return found.filter((each) => each !== undefined)
}

/** Dimensions of the machine: storage and software versions. They have no days. */
const ofMachine = async (call: Call, keys: readonly string[], clients: Clients) => {
  if (!keys.includes('space_usage') && !keys.includes('software_versions')) return []
  const backlogs = await backlogsOf(call, clients)
  const sum = (count: (each: (typeof backlogs)[number]) => number) => backlogs.reduce((total, each) => total + count(each), 0)
  const database = backlogs.find(({ databaseVersion }) => databaseVersion)?.databaseVersion ?? ''
  const space = [
    { key: 'postgresql', name: 'PostgreSQL', value: sum(({ storedBytes }) => storedBytes) },
    { key: 'media', name: 'Media', value: sum(({ fileBytes }) => fileBytes) },
  ]
  const versions = [
    { key: 'rookery', name: 'Rookery', value: VERSION },
    { key: 'node', name: 'Node.js', value: process.versions.node },
    { key: 'postgresql', name: 'PostgreSQL', value: database },
  ]
  return [
    { key: 'space_usage', rows: space.map(({ name, ...row }) => ({ ...row, human_key: name, unit: 'bytes' })) },
    { key: 'software_versions', rows: versions.map(({ name, ...row }) => ({ ...row, human_key: name })) },
  ].filter(({ key }) => keys.includes(key))
}

/** The display name of a row, where its key is not one. */
const nameOf = (dimension: string, { key, name }: { key: string; name: string }, { config }: Clients): { key: string; name: string } => {
  const own = new URL(config.baseUrl).host
  switch (dimension) {
    case 'servers':
    case 'tag_servers':
      return { key: key || own, name: key || own }
    case 'sources':
      return { key: key || 'web', name: key || 'Website' }
    case 'languages':
    case 'tag_languages':
    case 'instance_languages':
      return { key, name: languageName(key) }
    default:
      return { key, name: name || key }
  }
}

const names = new Intl.DisplayNames('en', { type: 'language' })

const languageName = (code: string): string => {
  try {
    return code === 'und' ? 'Unknown' : (names.of(code) ?? code)
  } catch {
    return code
  }
}

export const readDimensions = endpoint({
  method: 'POST',
  path: '/api/v1/admin/dimensions',
  access,
  summary: 'What makes up a number over a range of days, by key, the largest parts first.',
  input: dimensioned,
  handle: async ({ call, input }: { call: Call; input: Dimensioned }, clients) => {
    const days = daysOf(input, clients.clock.now())
    const request = { dimensions: subjectsOf(input.keys, input), ...days, limit: input.limit }
    const [machine, ...found] = await Promise.all([
      ofMachine(call, input.keys, clients),
      ...[clients.loginMeasures, clients.statusMeasures].map((service) => service.readDimensions(call, request)),
    ])
    const counted = found
      .flatMap((each) => each.dimensions)
      .map(({ key, rows }) => ({
        key,
        rows: rows.map((row) => {
          const shown = nameOf(key, row, clients)
          return { key: shown.key, human_key: shown.name, value: row.value }
        }),
      }))
    return inKeyOrder(input.keys, [...counted, ...machine]).map(dimensionEntity)
  },
})

/** Maximum days of daily cohorts: the answer grows with their square. */
const MAX_COHORTS = 92

export const readRetention = endpoint({
  method: 'POST',
  path: '/api/v1/admin/retention',
  access,
  summary: 'How many of those who signed up in a day or a month came back later.',
  input: form({ ...range, frequency: text() }),
  handle: async ({ call, input }, { loginMeasures, clock }) => {
    const { frequency = 'day' } = input
    if (frequency !== 'day' && frequency !== 'month') throw invalid('Frequency is not included in the list')
    const days = daysOf(input, clock.now())
    const isMonthly = frequency === 'month'
    const firstDay = isMonthly ? days.firstDay : Math.max(days.firstDay, days.lastDay - MAX_COHORTS + 1)
    const { cohorts } = await loginMeasures.readRetention(call, { firstDay, lastDay: days.lastDay, isMonthly })
    return cohorts.map((cohort) => cohortEntity(cohort, frequency))
  },
})
