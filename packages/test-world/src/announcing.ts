import { AnnouncementOperatorDefinition, CreateAnnouncementRequest, EmojiOperatorDefinition } from '@rookery/contracts/statuses'
import { innerCall, operatorClient } from './calls.ts'
import type { Person, World } from './index.ts'

// Helpers for tests of announcements.

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

export const ANNOUNCEMENTS = '/api/v1/announcements'

/** The operator's calls for announcements. */
export const announcementOperator = (world: World) => operatorClient(world, AnnouncementOperatorDefinition)

/** Publishes an announcement, at once by default. */
export const announces = (world: World, text: string, more: Partial<CreateAnnouncementRequest> = {}) =>
  announcementOperator(world).create(innerCall(), CreateAnnouncementRequest.fromPartial({ text, ...more }))

/** The announcements shown to a person. */
export const announced = async (person: Person, query = ''): Promise<Json[]> => {
  const answer = await person.get(`${ANNOUNCEMENTS}${query}`)
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  return answer.body
}

/** An announcement by its id. */
export const announcement = async (person: Person, id: string): Promise<Json> =>
  (await announced(person, '?with_dismissed=true')).find((each) => each.id === id)

const pathOf = (id: string, name: string) => `${ANNOUNCEMENTS}/${id}/reactions/${encodeURIComponent(name)}`

export const reacts = (person: Person, id: string, name: string) => person.asks('PUT', pathOf(id, name))
export const takesBack = (person: Person, id: string, name: string) => person.asks('DELETE', pathOf(id, name))

/** A picture of one pixel. */
const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

/** Adds a custom emoji, and returns it. */
export const importsEmoji = (world: World, shortcode: string) =>
  operatorClient(world, EmojiOperatorDefinition).import(innerCall(), { shortcode, category: '', picture: PICTURE })

/** Removes a custom emoji. */
export const removesEmoji = (world: World, shortcode: string) =>
  operatorClient(world, EmojiOperatorDefinition).remove(innerCall(), { shortcode })
