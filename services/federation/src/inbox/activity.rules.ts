import { createHash } from 'node:crypto'
import type { JsonObject } from '../contract.ts'
import { isActorUri, isSameHost } from '../host.rules.ts'

/** The fields of an activity, before it is verified. */
export type Envelope = { readonly id: string; readonly type: string; readonly actorUri: string }

/** Maximum length of an id, in bytes, because ids are indexed. */
const MAX_URI = 2048

/** The first value: every ActivityStreams property may have one value or several. */
const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)

/** The uri of a property: its value, or the id of the object in it; the first if there are several. */
export const uriOf = (value: unknown): string => {
  const first = firstOf(value)
  if (typeof first === 'string') return first
  const id = typeof first === 'object' && first !== null && 'id' in first ? first.id : ''
  return typeof id === 'string' ? id : ''
}

const digestOf = (body: Buffer): string => createHash('sha256').update(body).digest('base64url')

/**
 * Whether the id of an activity may be that of others with other content. Misskey derives the id of an `Undo` from what it undoes: two that
 * end follows of the same person differ only in their publication time. WriteFreely gives all activities about a post the id of the post.
 */
const isIdShared = ({ id, object }: JsonObject, type: string): boolean => type === 'Undo' || uriOf(object) === id

/** Reads the required fields of an activity; undefined if invalid. An activity whose id is missing or shared gets one by its content. */
export const envelopeOf = (activity: JsonObject, body: Buffer): Envelope | undefined => {
  const { actor, id } = activity
  const type = firstOf(activity['type'])
  const actorUri = uriOf(actor)
  if (typeof type !== 'string' || !isActorUri(actorUri) || type.length > 100) return undefined
  if (id === undefined || id === null) return { id: `${actorUri}#${digestOf(body)}`, type, actorUri }
  if (typeof id !== 'string' || Buffer.byteLength(id) > MAX_URI || !isSameHost(id, actorUri)) return undefined
  return { id: isIdShared(activity, type) ? `${id}#${digestOf(body)}` : id, type, actorUri }
}

/**
 * The id of the follow that an activity undoes; empty for any other activity. The follow may come again with the same id: Misskey derives
 * it from the two accounts.
 */
export const followTakenBack = ({ type, object }: JsonObject): string => {
  const taken = firstOf(object)
  const isFollow = typeof taken === 'object' && taken !== null && 'type' in taken && firstOf(taken.type) === 'Follow'
  return firstOf(type) === 'Undo' && isFollow ? uriOf(taken) : ''
}
