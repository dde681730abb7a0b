import type { Person } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { query, runJob } from '@rookery/test-world/queries'
import { type Act, type Compare, type Facts, HOUR, type Json, MINUTE, type Part } from './facts.ts'
import { type Polls, requestPoll } from './polls.ts'

// Scheduled statuses: each is published once, when it is due, or becomes a draft where that may not be. A key makes nothing twice within an hour.

type Scheduled = {
  id: string
  author: Person
  text: string
  /** Undefined for a draft. */
  at: number | undefined
  /** The status it replies to. */
  parentId: string | undefined
  poll: Json
  isMissed: boolean
}

/** What a key made, and when. */
type Made = { id: string; at: number }

const keyOf = ({ username }: Person, key: string) => `${username}'s ${key}`

const PATH = '/api/v1/scheduled_statuses'
const AHEAD = [6 * MINUTE, HOUR, 5 * HOUR, 30 * HOUR]

class Schedules {
  readonly waiting = new Map<string, Scheduled>()
  readonly made = new Map<string, Made>()
  readonly #facts: Facts
  readonly #polls: Polls

  constructor(facts: Facts, polls: Polls) {
    this.#facts = facts
    this.#polls = polls
  }

  isOrphan({ parentId }: Scheduled): boolean {
    return parentId !== undefined && !this.#facts.said.has(parentId)
  }

  publish({ id, author, text, poll }: Scheduled, status: Json): void {
    this.waiting.delete(id)
    this.#facts.said.set(status.id, { id: status.id, author, text })
    if (poll) this.#polls.add(author, status, poll)
    for (const made of this.made.values()) if (made.id === id) made.id = status.id
  }

  /** A key of what was deleted makes something new. */
  forget(id: string): void {
    for (const [key, made] of this.made) if (made.id === id) this.made.delete(key)
  }

  /** What is due is published, or missed. */
  async pass(): Promise<void> {
    for (const scheduled of [...this.waiting.values()]) {
      const { id, author, at, text } = scheduled
      if (at === undefined || at > this.#facts.now()) continue
      if (this.#facts.disabled.has(author)) this.waiting.set(id, { ...scheduled, at: undefined, isMissed: true })
      else if (this.isOrphan(scheduled)) this.waiting.set(id, { ...scheduled, at: undefined, isMissed: true, parentId: undefined })
      else {
        const posts = (await author.get(`/api/v1/accounts/${author.id}/statuses?limit=40`)).body
        const published = posts.filter(({ content }: Json) => content === `<p>${text}</p>`)
        if (published.length === 1) this.publish(scheduled, published[0])
        else this.#facts.faults.push(`${id} of ${author.username} was published ${published.length} times when it was due`)
      }
    }
  }
}

const sayingActs = (facts: Facts, schedules: Schedules, polls: Polls): Part['acts'] => {
  const { random, world } = facts
  /** Sends a request with a key, new or not, sometimes twice at once. */
  const repeat: Act = async () => {
    const author = random.of(facts.actors)
    const [key, text, isLater] = [`key ${random.of([1, 2, 3, 4])}`, facts.text(), random.chance(0.4)]
    const body = { status: text, ...(isLater && { scheduled_at: facts.in(HOUR) }) }
    const send = () => author.post('/api/v1/statuses', body, { 'idempotency-key': key })
    const answers = await Promise.all(random.chance(0.3) ? [send(), send()] : [send()])
    const before = schedules.made.get(keyOf(author, key))
    const isKnown = before !== undefined && before.at > facts.now() - HOUR
    const { id, scheduled_at: at } = answers[0]!.body
    for (const answer of answers) if (!facts.note(`${author.username} sends ${text} with ${key}, which makes ${id}`, answer)) return
    if (answers.some((answer) => answer.body.id !== id)) facts.faults.push(`${key} made two at once`)
    if (isKnown && id !== before.id) facts.faults.push(`${key} made ${before.id}, and ${id} within an hour`)
    if (isKnown) return
    schedules.made.set(keyOf(author, key), { id, at: facts.now() })
    if (!at) facts.said.set(id, { id, author, text })
    else schedules.waiting.set(id, { id, author, text, at: Date.parse(at), parentId: undefined, poll: undefined, isMissed: false })
  }

  const unsay: Act = async () => {
    const said = facts.one(facts.said)
    if (!said) return
    if (!facts.note(`${said.author.username} deletes ${said.id}`, await said.author.asks('DELETE', `/api/v1/statuses/${said.id}`))) return
    polls.remove(said.id)
    schedules.forget(said.id)
  }

  const cancel: Act = async () => {
    const scheduled = facts.one(schedules.waiting)
    if (!scheduled) return
    const answer = await scheduled.author.asks('DELETE', `${PATH}/${scheduled.id}`)
    if (!facts.note(`${scheduled.author.username} cancels ${scheduled.id}`, answer)) return
    schedules.waiting.delete(scheduled.id)
    schedules.forget(scheduled.id)
  }

  const disable: Act = async () => {
    const person = random.of(facts.people)
    const isDisabled = !facts.disabled.has(person)
    if (isDisabled && facts.disabled.size > 0) return
    await world.operator().setDisabled(innerCall(), { username: person.username, isDisabled })
    facts.disabled[isDisabled ? 'add' : 'delete'](person)
    facts.log.push(`${person.username} is ${isDisabled ? '' : 'not '}disabled`)
  }
  return [
    [4, repeat],
    [1, unsay],
    [1, cancel],
    [2, disable],
  ]
}

const scheduleActs = (facts: Facts, schedules: Schedules): Part['acts'] => {
  const { random, world } = facts
  const time = () => (random.chance(0.15) ? { draft: true } : { scheduled_at: facts.in(random.of(AHEAD)) })

  const schedule: Act = async () => {
    const [author, text] = [random.of(facts.actors), facts.text()]
    const parentId = random.of([undefined, undefined, ...facts.said.keys()])
    const poll = random.chance(0.3) ? requestPoll(facts) : undefined
    const answer = await author.post('/api/v1/statuses', { status: text, in_reply_to_id: parentId, poll, ...time() })
    const { id, scheduled_at: at } = answer.body
    if (facts.note(`${author.username} schedules ${id} for ${at}, replying to ${parentId}`, answer))
      schedules.waiting.set(id, { id, author, text, at: at ? Date.parse(at) : undefined, parentId, poll, isMissed: false })
  }

  const move: Act = async () => {
    const scheduled = facts.one(schedules.waiting)
    if (!scheduled) return
    const { id, author } = scheduled
    const body = random.chance(0.2) ? { scheduled_at: facts.in(MINUTE) } : time()
    const isSoon = body.scheduled_at !== undefined && Date.parse(body.scheduled_at) < facts.now() + 5 * MINUTE
    const isJudged = scheduled.isMissed && body.scheduled_at !== undefined
    const wanted = isSoon ? 422 : isJudged && schedules.isOrphan(scheduled) ? 404 : 200
    const answer = await author.asks('PUT', `${PATH}/${id}`, { body })
    if (!facts.note(`${author.username} moves ${id} to ${body.scheduled_at}`, answer, wanted)) return
    schedules.waiting.set(id, { ...scheduled, at: body.scheduled_at ? Date.parse(body.scheduled_at) : undefined, isMissed: false })
  }

  /** Twice at once, sometimes. */
  const publish: Act = async () => {
    const scheduled = facts.one(schedules.waiting)
    if (!scheduled) return
    const { id, author } = scheduled
    const send = () => author.post(`${PATH}/${id}/publish`)
    const answers = await Promise.all(random.chance(0.5) ? [send(), send()] : [send()])
    const [answer, ...others] = answers.toSorted((one, other) => one.status - other.status)
    if (others.some(({ status }) => status !== 404)) facts.faults.push(`${id} was published twice`)
    if (facts.note(`${author.username} publishes ${id} as ${answer!.body?.id}`, answer!, schedules.isOrphan(scheduled) ? 404 : 200))
      schedules.publish(scheduled, answer!.body)
  }

  /** The jobs of scheduled statuses are lost, as with a process that was killed. */
  const loseJobs: Act = async () => {
    const [count] = await query(
      world,
      `with lost as (delete from statuses_jobs._private_jobs where key like 'scheduled:%' returning 1) select count(*)::int from lost`,
    )
    facts.log.push(`${count.count} jobs are lost`)
  }
  return [
    [6, schedule],
    [3, move],
    [2, publish],
    [1, loseJobs],
  ]
}

const compareSchedules = async (facts: Facts, schedules: Schedules, compare: Compare) => {
  for (const person of facts.actors) {
    const own = [...schedules.waiting.values()].filter(({ author }) => author === person)
    const shown = async (query: string) =>
      (await person.get(`${PATH}?limit=40${query}`)).body.map(({ id, params, scheduled_at }: Json) => [id, params.text, scheduled_at])
    const wanted = (some: Scheduled[]) =>
      some.toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? 1 : -1)).map(({ id, text }) => [id, text])
    const timed = await shown('')
    compare(
      `scheduled statuses of ${person.username}`,
      timed.map((each: string[]) => each.slice(0, 2)),
      wanted(own.filter(({ at, isMissed }) => at !== undefined || isMissed)),
    )
    for (const [id, , at] of timed) {
      const known = schedules.waiting.get(id)
      if (known?.at !== undefined) compare(`time of ${id}`, Date.parse(at), known.at)
    }
    compare(
      `drafts of ${person.username}`,
      (await shown('&drafts=true')).map((each: string[]) => each.slice(0, 2)),
      wanted(own.filter(({ at }) => at === undefined)),
    )
  }
  for (const { id, author, text } of facts.said.values()) {
    const answer = await facts.world.get(`/api/v1/statuses/${id}`)
    compare(`status ${id} of ${author.username}`, answer.body.content, `<p>${text}</p>`)
  }
}

export const schedulesPart = (facts: Facts, polls: Polls): Part => {
  const schedules = new Schedules(facts, polls)
  return {
    acts: [...sayingActs(facts, schedules, polls), ...scheduleActs(facts, schedules)],
    passed: async () => {
      await runJob(facts.world, 'publish-overdue-statuses')
      await schedules.pass()
    },
    compare: (compare) => compareSchedules(facts, schedules, compare),
  }
}
