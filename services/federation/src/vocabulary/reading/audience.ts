import { Visibility } from '@rookery/contracts/statuses'
import { itemsOf, type JsonObject, urisOf } from './json.ts'

export const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'
const EVERYONE = new Set([PUBLIC, 'as:Public', 'Public'])

/** The recipients of an object or activity: ids, with everyone as PUBLIC. */
export type Recipients = { readonly to: readonly string[]; readonly cc: readonly string[] }

/** One or many ids, everyone among them as PUBLIC. */
export const recipientsIn = (value: unknown): readonly string[] => {
  const isForEveryone = itemsOf(value).some((item) => typeof item === 'string' && EVERYONE.has(item))
  const others = urisOf(value).filter((uri) => uri !== PUBLIC)
  return isForEveryone ? [PUBLIC, ...others] : others
}

/** The recipients of an object; those of the activity around it where it has none of its own. */
export const recipientsOf = (object: JsonObject, around?: Recipients): Recipients => {
  const own = { to: recipientsIn(object['to']), cc: recipientsIn(object['cc']) }
  return own.to.length + own.cc.length === 0 && around ? around : own
}

/**
 * Visibility by recipients, as Mastodon reads it: public is addressed to everyone, unlisted copied to everyone, private for the followers of
 * its author, direct for those it names.
 */
export const visibilityOf = ({ to, cc }: Recipients, followersUri: string): Visibility => {
  if (to.includes(PUBLIC)) return Visibility.PUBLIC
  if (cc.includes(PUBLIC)) return Visibility.UNLISTED
  if (followersUri && (to.includes(followersUri) || cc.includes(followersUri))) return Visibility.PRIVATE
  return Visibility.DIRECT
}
