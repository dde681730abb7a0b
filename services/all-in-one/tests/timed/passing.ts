import type { Person } from '@rookery/test-world'
import { announcementOperator, announces } from '@rookery/test-world/announcing'
import { innerCall } from '@rookery/test-world/calls'
import { type Act, DAY, type Facts, HOUR, type Json, MINUTE, type Part } from './facts.ts'

// What holds for some time: mutes, filters and announcements.

const LENGTHS = [undefined, 30 * MINUTE, 5 * HOUR, 2 * DAY]
const lengthOf = (milliseconds: number | undefined) => (milliseconds === undefined ? undefined : milliseconds / 1000)

export const mutesPart = (facts: Facts): Part => {
  const { random } = facts
  /** When mutes end, by who mutes whom; Infinity for those that do not. */
  const ends = new Map<string, number>()
  const keyOf = (by: Person, other: Person) => `${by.username} mutes ${other.username}`
  const mute: Act = async () => {
    const [[by, other], length] = [facts.two(), random.of(LENGTHS)]
    // Notifications stay: those of polls are compared elsewhere.
    const answer = await by.post(`/api/v1/accounts/${other.id}/mute`, { duration: lengthOf(length) ?? 0, notifications: false })
    if (facts.note(`${keyOf(by, other)} for ${length} ms`, answer))
      ends.set(keyOf(by, other), length === undefined ? Infinity : facts.now() + length)
  }
  const unmute: Act = async () => {
    const [by, other] = facts.two()
    if (facts.note(`not ${keyOf(by, other)}`, await by.post(`/api/v1/accounts/${other.id}/unmute`))) ends.delete(keyOf(by, other))
  }
  const isMuting = (by: Person, other: Person) => (ends.get(keyOf(by, other)) ?? 0) > facts.now()
  return {
    acts: [
      [2, mute],
      [1, unmute],
    ],
    compare: async (compare) => {
      for (const by of facts.actors) {
        const others = facts.people.filter((other) => other !== by)
        const { body } = await by.get(`/api/v1/accounts/relationships?${others.map(({ id }) => `id[]=${id}`).join('&')}`)
        const muting = (id: string) => body.find((each: Json) => each.id === id).muting
        for (const other of others) compare(keyOf(by, other), muting(other.id), isMuting(by, other))
        const listed = (await by.get('/api/v1/mutes')).body.map(({ id }: Json) => id).toSorted()
        compare(
          `mutes of ${by.username}`,
          listed,
          others
            .filter((other) => isMuting(by, other))
            .map(({ id }) => id)
            .toSorted(),
        )
      }
    },
  }
}

type Filter = { id: string; author: Person; word: string; endsAt: number }

/** Each person has one status with all words, which the others look at. */
export const filtersPart = (facts: Facts, statusId: string, words: readonly string[]): Part => {
  const { random } = facts
  const filters = new Map<string, Filter>()
  const filter: Act = async () => {
    const [by, word, length] = [random.of(facts.actors), random.of(words), random.of(LENGTHS)]
    const keywords_attributes = [{ keyword: word, whole_word: true }]
    const body = { title: word, context: ['home'], expires_in: lengthOf(length), keywords_attributes }
    const answer = await by.post('/api/v2/filters', body)
    if (!facts.note(`${by.username} filters ${word} for ${length} ms`, answer)) return
    const { id, expires_at: at } = answer.body
    filters.set(id, { id, author: by, word, endsAt: at ? Date.parse(at) : Infinity })
  }
  const change: Act = async () => {
    const found = facts.one(filters)
    if (!found) return
    const length = random.of(LENGTHS)
    const answer = await found.author.asks('PUT', `/api/v2/filters/${found.id}`, { body: { expires_in: lengthOf(length) ?? '' } })
    if (facts.note(`${found.author.username} filters ${found.word} for ${length} ms more`, answer))
      filters.set(found.id, { ...found, endsAt: answer.body.expires_at ? Date.parse(answer.body.expires_at) : Infinity })
  }
  return {
    acts: [
      [2, filter],
      [1, change],
    ],
    compare: async (compare) => {
      for (const by of facts.actors) {
        const { body } = await by.get(`/api/v1/statuses/${statusId}`)
        const wanted = [...filters.values()].filter(({ author, endsAt }) => author === by && endsAt > facts.now())
        compare(
          `filters that match for ${by.username}`,
          (body.filtered ?? []).map(({ filter }: Json) => filter.id).toSorted(),
          wanted.map(({ id }) => id).toSorted(),
        )
      }
    },
  }
}

type Announcement = { id: string; startsAt: number | undefined; endsAt: number | undefined }

export const announcementsPart = (facts: Facts): Part => {
  const { random, world } = facts
  const all = new Map<string, Announcement>()
  const announce: Act = async () => {
    const startsAt = random.chance(0.5) ? facts.now() + random.of([30 * MINUTE, 5 * HOUR]) : undefined
    const endsAt = random.chance(0.6) ? (startsAt ?? facts.now()) + random.of([HOUR, 2 * DAY]) : undefined
    const times = { ...(startsAt && { startsAtMilliseconds: startsAt }), ...(endsAt && { endsAtMilliseconds: endsAt }) }
    const { id } = await announces(world, facts.text(), times)
    all.set(id, { id, startsAt, endsAt })
    facts.log.push(`announcement ${id} from ${startsAt} to ${endsAt}`)
  }
  const remove: Act = async () => {
    const [id] = random.of([...all.keys(), undefined].map((each) => [each]))
    if (!id) return
    await announcementOperator(world).delete(innerCall(), { id })
    all.delete(id)
    facts.log.push(`announcement ${id} is removed`)
  }
  return {
    acts: [
      [2, announce],
      [1, remove],
    ],
    compare: async (compare) => {
      const now = facts.now()
      const shown = [...all.values()].filter(({ startsAt = 0, endsAt = Infinity }) => startsAt <= now && endsAt > now)
      for (const by of facts.actors) {
        const { body } = await by.get('/api/v1/announcements?with_dismissed=true')
        compare(`announcements for ${by.username}`, body.map(({ id }: Json) => id).toSorted(), shown.map(({ id }) => id).toSorted())
      }
    },
  }
}
