import { createHash } from 'node:crypto'
import type { JsonObject } from '../contract.ts'
import { isActorUri, isSameHost } from '../host.rules.ts'

/** The fields of an activity, before it is verified. */
export type Envelope = { readonly id: string; readonly type: string; readonly actorUri: string }

/** Bytes: an index holds the id. */
const MAX_URI = 2048

/** One or many, as ActivityStreams has it everywhere: the first. */
const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)

/** The address that a property is, or that the object in it has; of several the first. */
export const uriOf = (value: unknown): string => {
  const first = firstOf(value)
  if (typeof first === 'string') return first
  const id = typeof first === 'object' && first !== null && 'id' in first ? first.id : ''
  return typeof id === 'string' ? id : ''
}

const digestOf = (body: Buffer): string => createHash('sha256').update(body).digest('base64url')

/**
 * Reads what every activity must say; undefined for what is none. One without an id gets one by its content. So does an `Undo`, which Misskey
 * names after what it takes back: two that end follows of the same person have one id and differ only in when they were published.
 */
export const envelopeOf = (activity: JsonObject, body: Buffer): Envelope | undefined => {
  const { actor, id } = activity
  const type = firstOf(activity['type'])
  const actorUri = uriOf(actor)
  if (typeof type !== 'string' || !isActorUri(actorUri) || type.length > 100) return undefined
  if (id === undefined || id === null) return { id: `${actorUri}#${digestOf(body)}`, type, actorUri }
  if (typeof id !== 'string' || Buffer.byteLength(id) > MAX_URI || !isSameHost(id, actorUri)) return undefined
  return { id: type === 'Undo' ? `${id}#${digestOf(body)}` : id, type, actorUri }
}

/**
 * The id of the follow that an activity takes back; empty for any other activity. It may come again: Misskey names each follow of one person by
 * another alike.
 */
export const followTakenBack = ({ type, object }: JsonObject): string => {
  const taken = firstOf(object)
  const isFollow = typeof taken === 'object' && taken !== null && 'type' in taken && firstOf(taken.type) === 'Follow'
  return firstOf(type) === 'Undo' && isFollow ? uriOf(taken) : ''
}
