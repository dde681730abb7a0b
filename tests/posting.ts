import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Person } from '@rookery/test-world'
import { expect } from 'vitest'

/** A person who posts without limit, each post again with the same Idempotency-Key until it is acknowledged. */
export type Posting = {
  /** The ids of all that was acknowledged so far, in order. */
  readonly acknowledged: readonly string[]
  /** Resolves when so many more were acknowledged. */
  goesOn(count: number): Promise<void>
  /** Ends it; returns the ids of all that was acknowledged, in order. */
  stop(): Promise<string[]>
}

const TIMEOUT = 5000

/** The id that was acknowledged, or undefined. */
const publish = async (author: Person, text: string, key: string): Promise<string | undefined> => {
  const answer = author.post('/api/v1/statuses', { status: text }, { 'idempotency-key': key }).catch(() => undefined)
  const given = await Promise.race([answer, pause(TIMEOUT, undefined, { ref: false })])
  if (given && given.status !== 200 && given.status < 500) throw new Error(`refused: ${given.status} ${given.text}`)
  return given?.status === 200 ? given.body.id : undefined
}

/** Posts mentions of a person one after the other, `pauseBetween` milliseconds apart. */
export const startPosting = (author: Person, mentioned: Person, { pauseBetween = 0 } = {}): Posting => {
  const acknowledged: string[] = []
  const series = randomUUID()
  let isStopped = false
  const post = async () => {
    for (let number = 0; !isStopped; number++) {
      const text = `@${mentioned.username} number ${number}`
      let id: string | undefined
      while (!id) {
        id = await publish(author, text, `${series}-${number}`)
        if (!id) await pause(50)
      }
      acknowledged.push(id)
      if (pauseBetween > 0) await pause(pauseBetween)
    }
  }
  const posting = post()
  return {
    acknowledged,
    goesOn: async (count) => {
      for (const wanted = acknowledged.length + count; acknowledged.length < wanted; ) await Promise.race([posting, pause(20)])
    },
    stop: async () => {
      isStopped = true
      await posting
      return acknowledged
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what the API says
type Page = any[]

/** Every item of a list, page by page. */
const readAll = async (person: Person, path: string): Promise<Page> => {
  const all: Page = []
  for (let maxId = ''; ; maxId = `&max_id=${all.at(-1).id}`) {
    const { status, body } = await person.get(`${path}?limit=40${maxId}`)
    if (status !== 200) throw new Error(`${path}: ${status}`)
    if (body.length === 0) return all
    all.push(...body)
  }
}

/** The ids of statuses in a list of statuses or of notifications, oldest first. */
const idsIn = async (person: Person, path: string): Promise<string[]> => {
  const items = await readAll(person, path)
  return items.map((item) => item.status?.id ?? item.id).reverse()
}

/**
 * Expects everything acknowledged to be there once: with its author, in the home of its author and of a follower, and as a notification
 * of everyone it mentions. Events of one key keep their order, so when the last has arrived all have.
 */
export const expectOnceEverywhere = async (ids: readonly string[], author: Person, follower: Person): Promise<void> => {
  const whenIdle = async (person: Person, path: string) => {
    await expect.poll(() => idsIn(person, path).catch(() => []), { timeout: 60_000, interval: 200 }).toContain(ids.at(-1))
    expect(await idsIn(person, path)).toEqual(ids)
  }
  await whenIdle(author, `/api/v1/accounts/${author.id}/statuses`)
  await whenIdle(author, '/api/v1/timelines/home')
  await whenIdle(follower, '/api/v1/timelines/home')
  await whenIdle(follower, '/api/v1/notifications')
}
