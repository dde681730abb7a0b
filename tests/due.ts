import type { Person } from '@rookery/test-world'
import { expect } from 'vitest'
import { type Dated, makeDue } from './make-due.ts'

const COUNT = 20
/** What a killed process had begun is looked for once a minute. */
const TIMEOUT = 120_000

/** A scheduled status, and the job that publishes it. */
const SCHEDULED: Dated = {
  keep: 'update statuses.scheduled_status set scheduled_at = $2 where id = $1',
  task: 'publish-scheduled-status',
  payloadOf: (id, at) => ({ id, at }),
  keyOf: (id) => `scheduled:${id}`,
}

/** Statuses that fall due one after the other. */
type DueStatuses = {
  /** Resolves when so many of them are posted. */
  isPosted(count: number): Promise<void>
  /** Expects every one to be posted once, with its author and in the home of a follower, and none to wait. */
  isPostedOnce(follower: Person): Promise<void>
}

/** Has someone schedule statuses that are due within seconds, in the database behind a socket. */
export const scheduleMany = async (author: Person, socket: string): Promise<DueStatuses> => {
  const texts = Array.from({ length: COUNT }, (_, index) => `number ${index}`)
  const later = new Date(Date.now() + 600_000).toISOString()
  const ids: string[] = []
  for (const text of texts) ids.push((await author.says(text, { scheduled_at: later })).id)
  await makeDue(socket, ids, SCHEDULED)
  const posted = async (): Promise<string[]> => {
    const { body } = await author.get(`/api/v1/accounts/${author.id}/statuses?limit=40`).catch(() => ({ body: [] }))
    return Array.isArray(body) ? body.map(({ content }) => content.replaceAll(/<[^>]+>/g, '')) : []
  }
  const inHome = async (follower: Person) => (await follower.home('?limit=40')).filter(({ account }) => account.id === author.id).length
  const isPosted = async (count: number) => {
    await expect.poll(() => posted().then(({ length }) => length), { timeout: TIMEOUT, interval: 20 }).toBeGreaterThanOrEqual(count)
  }
  return {
    isPosted,
    async isPostedOnce(follower) {
      await isPosted(COUNT)
      expect((await posted()).toSorted()).toEqual(texts.toSorted())
      expect((await author.get('/api/v1/scheduled_statuses')).body).toEqual([])
      await expect.poll(() => inHome(follower), { timeout: TIMEOUT }).toBe(COUNT)
    },
  }
}
