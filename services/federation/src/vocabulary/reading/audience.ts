import { Visibility } from '@rookery/contracts/statuses'
import { itemsOf, type JsonObject, urisOf } from './json.ts'

export const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'
const EVERYONE = new Set([PUBLIC, 'as:Public', 'Public'])

/** The recipients of an object or activity: ids, with PUBLIC for everyone. */
export type Recipients = { readonly to: readonly string[]; readonly cc: readonly string[] }

/** Parses one or several ids, with PUBLIC for everyone. */
export const recipientsIn = (value: unknown): readonly string[] => {
  const isForEveryone = itemsOf(value).some((item) => typeof item === 'string' && EVERYONE.has(item))
  const others = urisOf(value).filter((uri) => uri !== PUBLIC)
  return isForEveryone ? [PUBLIC, ...others] : others
}

/** The recipients of an object; if it has none, those of its activity. */
export const recipientsOf = (object: JsonObject, around?: Recipients): Recipients => {
  const own = { to: recipientsIn(object['to']), cc: recipientsIn(object['cc']) }
  return own.to.length + own.cc.length === 0 && around ? around : own
}

/**
 * Visibility from recipients, as on Mastodon: public is addressed to everyone, unlisted is copied to everyone, private is for followers of
 * the author, direct is for the named recipients only.
 */
export const visibilityOf = ({ to, cc }: Recipients, followersUri: string): Visibility => {
  if (to.includes(PUBLIC)) return Visibility.PUBLIC
  if (cc.includes(PUBLIC)) return Visibility.UNLISTED
  if (followersUri && (to.includes(followersUri) || cc.includes(followersUri))) return Visibility.PRIVATE
  return Visibility.DIRECT
}
