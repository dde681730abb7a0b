import { InstanceSettingsDefinition } from '@rookery/contracts/federation'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { innerCall, innerClient } from '@rookery/test-world/calls'
import type { Reports } from './reports.ts'
import type { Newcomers } from './sign-ups.ts'
import type { Act, Area, Asked, Json, Maker, Stage } from './stage.ts'
import { called, judging } from './stage.ts'

// What the server says of itself: its texts, terms of service and numbers.

const DAY = 86_400_000
const dayOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10)

class Instance {
  readonly texts: Record<string, string> = { title: 'Rookery', short_description: '', contact_email: '', contact_account: '' }
  /** Terms of service by their day. */
  readonly terms = new Map<string, string>()
}

const VALUES = [
  ['title', ['Nest', 'Rookery']],
  ['short_description', ['Short', '']],
  ['contact_email', ['a@example.org', '']],
  ['contact_account', ['user0', 'user1', 'nobody', '']],
] as const

const managing = (stage: Stage, { texts, terms }: Instance) => {
  const { world, random, staff, accounts, now } = stage
  const { may } = judging(stage)
  const client = innerClient(world, InstanceSettingsDefinition)
  const staffed =
    (make: (staffId: string) => Act | undefined): Maker =>
    () => {
      const { id } = random.of(staff)
      const act = may({ id }, PERMISSIONS.manageSettings) ? make(id) : undefined
      return act && { ...act, fixed: ['instance', `account ${id}`, ...(act.fixed ?? [])] }
    }
  const write = staffed((staffId) => {
    const [name, values] = random.of(VALUES)
    const value = random.of<string>(values)
    const contact = name === 'contact_account' ? [...accounts.values()].find(({ username }) => username === value) : undefined
    const isNamed = name === 'contact_account' && value !== '' && value !== texts[name]
    return {
      what: `set ${name} to ${value}`,
      send: () => called(() => client.change(innerCall(), { texts: [{ name, value }], staffId })),
      wanted: isNamed && !contact ? 422 : 200,
      ...{ keys: [], fixed: contact ? [`account ${contact.id}`] : [] },
      done: () => Object.assign(texts, { [name]: value }),
    }
  })
  const publish = staffed((staffId) => {
    const [effectiveOn, text] = [dayOf(now() + random.of([-1, 0, 1, 2, 3]) * DAY), random.of(['Be good.', 'Be better.'])]
    return {
      what: `terms of ${effectiveOn}: ${text}`,
      send: () => called(() => client.publishTerms(innerCall(), { effectiveOn, text, staffId })),
      wanted: effectiveOn < dayOf(now()) ? 422 : 200,
      keys: [],
      done: () => terms.set(effectiveOn, text),
    }
  })
  const remove = staffed((staffId) => {
    const effectiveOn = terms.size > 0 ? random.of([...terms.keys()]) : undefined
    return effectiveOn === undefined
      ? undefined
      : {
          what: `delete the terms of ${effectiveOn}`,
          send: () => called(() => client.deleteTerms(innerCall(), { effectiveOn, staffId })),
          ...{ wanted: 200, keys: [], done: () => terms.delete(effectiveOn) },
        }
  })
  return { write, publish, remove }
}

const compareTexts = ({ compare }: Asked, [v1, v2]: [Json, Json], { accounts }: Stage, { texts, terms }: Instance) => {
  const contact = [...accounts.values()].find(({ username }) => username === texts['contact_account'])
  const twice = (value: unknown) => [value, value]
  compare('title', [v1.title, v2.title], twice(texts['title']))
  compare('description', [v1.short_description, v2.description], twice(texts['short_description']))
  compare('contact', [v1.email, v2.contact.email], twice(texts['contact_email']))
  compare('contact account', [v1.contact_account?.id, v2.contact.account?.id], twice(contact?.id))
  compare('has terms', v2.configuration.urls.terms_of_service !== null, terms.size > 0)
}

const compareTerms = async ({ viewer, compare }: Asked, { terms }: Instance, today: string) => {
  const days = [...terms.keys()].toSorted()
  const current = days.findLast((day) => day <= today) ?? days[0]
  for (const day of [undefined, ...days]) {
    const { status, body } = await viewer.get(`/api/v1/instance/terms_of_service${day ? `/${day}` : ''}`)
    const of = day ?? current
    const wanted = of && [of, of <= today, `<p>${terms.get(of)}</p>`, days.find((other) => other > of) ?? null]
    const is = status === 200 ? [body.effective_date, body.effective, body.content, body.succeeded_by] : undefined
    compare(`terms of ${day}`, is, wanted)
  }
}

type Parts = { reports: Reports; newcomers: Newcomers }

/** The numbers of the dashboard since a day. */
const compareMeasures = async (
  { viewer, compare }: Asked,
  { accounts, now, staff }: Stage,
  { reports, newcomers }: Parts,
  start: string,
) => {
  const body = { keys: ['new_users', 'opened_reports', 'resolved_reports'], start_at: start, end_at: dayOf(now() + DAY) }
  const asking = staff.find(({ id }) => id === viewer.id)
  if (!asking) return
  const measures: Json[] = (await asking.post('/api/v1/admin/measures', body)).body
  const local = [...accounts.values()].filter(({ domain }) => domain === undefined).length
  const wanted = {
    new_users: local + [...newcomers.values()].filter(({ state }) => state !== 'gone').length,
    opened_reports: reports.all.size,
    resolved_reports: [...reports.all.values()].filter(({ taken }) => taken !== undefined).length,
  }
  for (const { key, total } of measures) compare(key, total, String(wanted[key as keyof typeof wanted]))
}

export const instanceArea = (stage: Stage, parts: Parts): Area => {
  const { world, accounts, now } = stage
  const { may, isIn } = judging(stage)
  const instance = new Instance()
  const { write, publish, remove } = managing(stage, instance)
  const start = dayOf(now() - DAY)
  return {
    makers: [
      [2, write],
      [2, publish],
      [1, remove],
    ],
    compare: async (asked) => {
      const { viewer, compare } = asked
      if (viewer.id && !isIn(viewer)) return
      // The numbers are remembered for a minute.
      await world.advance(61_000)
      const [v1, v2] = [(await viewer.get('/api/v1/instance')).body, (await viewer.get('/api/v2/instance')).body]
      compareTexts(asked, [v1, v2], stage, instance)
      const here = [...accounts.values()].filter(({ domain, isSuspended }) => domain === undefined && !isSuspended).length
      compare('people', v1.stats.user_count, here + [...parts.newcomers.values()].filter(({ state }) => state === 'in').length)
      await compareTerms(asked, instance, dayOf(now()))
      if (viewer.id && may(viewer, PERMISSIONS.viewDashboard)) await compareMeasures(asked, stage, parts, start)
    },
  }
}
