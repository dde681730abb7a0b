import { normaliseTag } from '@rookery/markup'
import type { NamedTag } from './tag.store.ts'

/** Parses a typed tag, with or without its sign; undefined if it is not a tag (beyond-the-spec 1.9, Hashtags). */
export const tagOf = (typed: string): NamedTag | undefined => {
  const name = normaliseTag(typed)
  return name === undefined ? undefined : { name, display: typed.replace(/^[#＃]/, '') }
}
