import type { Who } from '../cast.ts'
import { idAt, type Known, knownTo, took, type Walk } from '../walk.ts'
import type { Act } from './posts.ts'

/** Favourites, boosts or bookmarks a status. */
export const reacts =
  (act: string): Act =>
  async (walk, me) => {
    const known = await knownTo(walk, me)
    if (known.length === 0) return
    const { status, id } = walk.random.of(known)
    took(walk, `${me.name} ${act}s ${status.label}`, await me.person.post(`/api/v1/statuses/${id}/${act}`))
  }

/** Takes back what the person did to a status, if anything. */
export const takesBack =
  (flag: string, act: string): Act =>
  async (walk, me) => {
    for (const { status, id } of await knownTo(walk, me)) {
      const { body } = await me.person.get(`/api/v1/statuses/${id}`)
      if (body[flag] !== true) continue
      took(walk, `${me.name} ${act}s ${status.label}`, await me.person.post(`/api/v1/statuses/${id}/${act}`))
      return
    }
  }

/** Votes in a poll that the person may see and has no vote in yet; returns whether there is one. */
const votesIn = async (walk: Walk, me: Who, id: string, { label, author }: Known): Promise<boolean> => {
  const { poll } = (await me.person.get(`/api/v1/statuses/${id}`)).body
  if (author === me || !poll || poll.voted) return false
  const choices = poll.multiple && walk.random.chance(0.6) ? [0, 1] : [walk.random.of([0, 1])]
  took(walk, `${me.name} votes ${choices} in ${label}`, await me.person.post(`/api/v1/polls/${poll.id}/votes`, { choices }))
  return true
}

/** Everyone votes in a poll whose server knows it and lets them. */
export const allVote: Act = async (walk, me) => {
  const [poll] = await knownTo(walk, me, ({ hasPoll }) => hasPoll)
  if (!poll) return
  walk.log.push(`everyone votes in ${poll.status.label}`)
  for (const one of walk.cast.people.filter(({ isGone, isSuspended, isBarred }) => !isGone && !isSuspended && !isBarred)) {
    await votesIn(walk, one, (await idAt(walk, one.side, poll.status)) ?? '', poll.status)
  }
}

export const votes: Act = async (walk, me) => {
  for (const { status, id } of await knownTo(walk, me, ({ hasPoll, author }) => hasPoll && author !== me)) {
    if (await votesIn(walk, me, id, status)) return
  }
}
