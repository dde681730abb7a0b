import { normaliseTag } from '@rookery/markup'
import type { NamedTag } from './tag.store.ts'

/** A tag as someone typed it, with or without its sign; undefined for what is no tag (beyond-the-spec 1.9, Hashtags). */
export const tagOf = (typed: string): NamedTag | undefined => {
  const name = normaliseTag(typed)
  return name === undefined ? undefined : { name, display: typed.replace(/^[#＃]/, '') }
}
