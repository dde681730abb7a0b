import type { Person } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { query } from '@rookery/test-world/queries'
import { type Compare, type Facts, HOUR, type Json, MINUTE, type Part } from './facts.ts'

// Polls: they are voted in until they end, and their end is announced once to each.

type Poll = {
  statusId: string
  author: Person
  options: string[]
  isMultiple: boolean
  hidesTotals: boolean
  endsAt: number
  /** Whether its present end was announced. */
  isClosed: boolean
  votes: Map<string, number[]>
}

const LENGTHS = [5 * MINUTE, HOUR, 5 * HOUR]
const OPTIONS = ['green', 'black', 'white']

export class Polls {
  readonly all = new Map<string, Poll>()
  /** The statuses whose poll's end each person was notified of. */
  readonly notified = new Map<string, Set<string>>()
  readonly #facts: Facts

  constructor(facts: Facts) {
    this.#facts = facts
    for (const { id } of facts.people) this.notified.set(id, new Set())
  }

  add(author: Person, { id, poll }: Json, request: Json): void {
    const { options, multiple: isMultiple, hide_totals: hidesTotals } = request
    const endsAt = Date.parse(poll.expires_at)
    this.all.set(id, { statusId: id, author, options, isMultiple, hidesTotals, endsAt, isClosed: false, votes: new Map() })
  }

  remove(statusId: string): void {
    this.all.delete(statusId)
    this.#facts.said.delete(statusId)
    for (const seen of this.notified.values()) seen.delete(statusId)
  }

  hasEnded({ endsAt }: Poll): boolean {
    return endsAt <= this.#facts.now()
  }

  /** Announces the ends that have come. */
  close(): void {
    for (const poll of this.all.values()) {
      if (poll.isClosed || !this.hasEnded(poll)) continue
      poll.isClosed = true
      for (const id of [poll.author.id, ...poll.votes.keys()]) this.notified.get(id)!.add(poll.statusId)
    }
  }
}

export const requestPoll = ({ random }: Facts) => ({
  options: OPTIONS.slice(0, random.of([2, 3])),
  expires_in: random.of(LENGTHS) / 1000,
  multiple: random.chance(0.5),
  hide_totals: random.chance(0.3),
})

const pollActs = (facts: Facts, polls: Polls): Part['acts'] => {
  const { random, world } = facts
  const ask = async () => {
    const [author, text, poll] = [random.of(facts.actors), facts.text(), requestPoll(facts)]
    const answer = await author.post('/api/v1/statuses', { status: text, poll })
    const { id } = answer.body
    if (!facts.note(`${author.username} asks ${id} for ${poll.expires_in} s`, answer)) return
    facts.said.set(id, { id, author, text })
    polls.add(author, answer.body, poll)
    if (random.chance(0.3)) await edit(polls.all.get(id)!)
  }

  const vote = async () => {
    const [poll, by] = [facts.one(polls.all), random.of(facts.actors)]
    if (!poll) return
    const choices = poll.options.map((_, index) => index).filter(() => random.chance(0.4))
    const isFair = choices.length === 1 || (choices.length > 1 && poll.isMultiple)
    const may = isFair && by !== poll.author && !poll.votes.has(by.id) && !polls.hasEnded(poll)
    const answer = await by.post(`/api/v1/polls/${poll.statusId}/votes`, { choices })
    if (facts.note(`${by.username} votes ${choices} in ${poll.statusId}`, answer, may ? 200 : 422)) poll.votes.set(by.id, choices)
  }

  /** Another end keeps the votes; another question does not. */
  const edit = async (poll = facts.one(polls.all)) => {
    if (!poll) return
    const { statusId, author, options, isMultiple, hidesTotals } = poll
    const same = { options, multiple: isMultiple, hide_totals: hidesTotals, expires_in: random.of(LENGTHS) / 1000 }
    const wanted = random.of([same, same, requestPoll(facts), undefined])
    const text = facts.text()
    const answer = await author.asks('PUT', `/api/v1/statuses/${statusId}`, { body: { status: text, poll: wanted } })
    if (!facts.note(`${author.username} edits ${statusId} to ask ${wanted?.options} for ${wanted?.expires_in} s`, answer)) return
    facts.said.set(statusId, { id: statusId, author, text })
    polls.all.delete(statusId)
    if (!wanted) return
    polls.add(author, answer.body, wanted)
    const isSame = wanted.multiple === isMultiple && wanted.options.join() === options.join()
    if (isSame) polls.all.get(statusId)!.votes = poll.votes
  }

  const remove = async () => {
    const poll = facts.one(polls.all)
    if (!poll) return
    const answer = await poll.author.asks('DELETE', `/api/v1/statuses/${poll.statusId}`)
    if (facts.note(`${poll.author.username} deletes ${poll.statusId}`, answer)) polls.remove(poll.statusId)
  }

  /** A job that ran runs again, as that of a killed process does; one that waits runs before its time, as where the clock of Postgres is ahead. */
  const runJob = async () => {
    const poll = facts.one(polls.all)
    if (!poll) return
    facts.log.push(`the job of ${poll.statusId} runs`)
    const job = [`poll:${poll.statusId}`, poll.statusId]
    await query(world, `select statuses_jobs.add_job('close-poll', json_build_object('statusId', $2::text), job_key := $1)`, job)
    await world.rookery.runJobs()
    polls.close()
  }

  const mark = async () => {
    const poll = facts.one(polls.all)
    if (!poll) return
    const act = { statusIds: [poll.statusId], action: 'mark_statuses_as_sensitive', text: '', sendsMail: false }
    await world.operator().actOnStatuses(innerCall(), act)
    facts.log.push(`${poll.statusId} is marked as sensitive`)
  }

  const dismiss = async () => {
    const by = random.of(facts.actors)
    if (facts.note(`${by.username} clears notifications`, await by.post('/api/v1/notifications/clear'))) polls.notified.get(by.id)!.clear()
  }

  return [
    [4, ask],
    [6, vote],
    [3, () => edit()],
    [1, remove],
    [1, runJob],
    [1, mark],
    [1, dismiss],
  ]
}

const comparePoll = async (facts: Facts, polls: Polls, compare: Compare, poll: Poll) => {
  const viewer = facts.random.of(facts.actors)
  const { body } = await viewer.get(`/api/v1/polls/${poll.statusId}`)
  const expired = polls.hasEnded(poll)
  const counted = [...poll.votes.values()].flat()
  const own = poll.votes.get(viewer.id)
  const counts = poll.options.map((_, index) => counted.filter((choice) => choice === index).length)
  const areHidden = poll.hidesTotals && !expired
  const wanted = {
    expires_at: new Date(poll.endsAt).toISOString(),
    ...{ expired, multiple: poll.isMultiple, votes_count: counted.length, voters_count: poll.votes.size },
    ...{ voted: viewer === poll.author || own !== undefined, own_votes: own ?? [] },
    options: poll.options.map((title, index) => ({ title, votes_count: areHidden ? null : counts[index] })),
  }
  for (const [field, value] of Object.entries(wanted))
    compare(`${field} of poll ${poll.statusId} for ${viewer.username}`, body[field], value)
}

export const pollsPart = (facts: Facts, polls: Polls): Part => ({
  acts: pollActs(facts, polls),
  passed: async () => polls.close(),
  compare: async (compare) => {
    for (const poll of polls.all.values()) await comparePoll(facts, polls, compare, poll)
    for (const person of facts.actors) {
      const seen = (await person.notifications('?types[]=poll&limit=80')).map(({ status }) => status.id)
      compare(`ended polls that ${person.username} was notified of`, seen.toSorted(), [...polls.notified.get(person.id)!].toSorted())
    }
  },
})
