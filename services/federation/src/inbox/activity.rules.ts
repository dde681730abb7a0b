import { createHash } from 'node:crypto'
import type { JsonObject } from '../contract.ts'
import { isSameHost } from '../host.rules.ts'

/** What an activity says before it is known to be true. */
export type Envelope = { readonly id: string; readonly type: string; readonly actorUri: string }

const MAX_URI = 2048

/** The address that a property is, or that the object in it has. */
export const uriOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : ''
  return typeof id === 'string' ? id : ''
}

/** Reads what every activity must say; undefined for what is none. One without an id gets one by its content. */
export const envelopeOf = (activity: JsonObject, body: Buffer): Envelope | undefined => {
  const { type, actor, id } = activity
  const actorUri = uriOf(actor)
  if (typeof type !== 'string' || !actorUri || actorUri.length > MAX_URI || type.length > 100) return undefined
  if (id === undefined) return { id: `${actorUri}#${createHash('sha256').update(body).digest('base64url')}`, type, actorUri }
  if (typeof id !== 'string' || id.length > MAX_URI || !isSameHost(id, actorUri)) return undefined
  return { id, type, actorUri }
}
