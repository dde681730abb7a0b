import type { Database } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import type { StoredEmoji } from '../../database/tables/emoji.ts'
import { shortcodesIn } from './emoji.rules.ts'
import { EmojiReader } from './emoji.store.ts'

/** Finds the emojis in texts, in order of occurrence. */
export type EmojiFinder = (texts: readonly string[]) => Promise<StoredEmoji[]>

/** One statement for all texts; none if they contain no shortcode. */
export const emojiFinder = ({ database }: { database: Database<StatusesTables> }): EmojiFinder => {
  return async (texts) => {
    const shortcodes = shortcodesIn(texts)
    return shortcodes.length === 0 ? [] : new EmojiReader(database.db).named(shortcodes)
  }
}
