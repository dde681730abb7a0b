import { expect } from 'vitest'
import type { Answer, Person, World } from './index.ts'

// Helpers for tests of scheduled statuses.

export const SCHEDULED = '/api/v1/scheduled_statuses'
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** A picture of one pixel. */
const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

export const uploads = async (person: Person): Promise<string> => {
  const form = new FormData()
  form.set('file', new File([PICTURE], 'dot.png', { type: 'image/png' }))
  return (await person.asks('POST', '/api/v2/media', { body: form })).body.id
}

/** The time in this many milliseconds, by the world's clock. */
export const ahead = (world: World, milliseconds: number): string => new Date(world.clock.now() + milliseconds).toISOString()

/** Schedules a status, by default in an hour, and returns it. */
export const schedules = async (world: World, person: Person, text: string, more: Record<string, unknown> = {}) =>
  person.says(text, { scheduled_at: ahead(world, HOUR), ...more })

/** A person's scheduled statuses, or drafts. */
export const waiting = async (person: Person, query = '') => (await person.get(`${SCHEDULED}${query}`)).body

export const changes = (person: Person, { id }: { id: string }, body: unknown): Promise<Answer> =>
  person.asks('PUT', `${SCHEDULED}/${id}`, { body })

export const cancels = (person: Person, { id }: { id: string }): Promise<Answer> => person.asks('DELETE', `${SCHEDULED}/${id}`)

/** The statuses of a person, latest first, as text. */
export const saidBy = async (person: Person): Promise<string[]> =>
  (await person.get(`/api/v1/accounts/${person.id}/statuses?limit=40`)).body.map(({ content }: { content: string }) =>
    content.replace(/<[^>]+>/g, ''),
  )

/** Expects a refusal with this status and error. */
export const expectRefusal = (answer: Answer, status: number, error: string) =>
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body: { error } })
