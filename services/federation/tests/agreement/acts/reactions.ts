import { knownTo, took } from '../walk.ts'
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

export const votes: Act = async (walk, me) => {
  for (const { status, id } of await knownTo(walk, me, ({ author }) => author !== me)) {
    const { poll } = (await me.person.get(`/api/v1/statuses/${id}`)).body
    if (!poll || poll.voted) continue
    const choices = poll.multiple && walk.random.chance(0.6) ? [0, 1] : [walk.random.of([0, 1])]
    took(walk, `${me.name} votes ${choices} in ${status.label}`, await me.person.post(`/api/v1/polls/${poll.id}/votes`, { choices }))
    return
  }
}
