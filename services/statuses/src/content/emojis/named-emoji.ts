import type { Database } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import type { StoredEmoji } from '../../database/tables/emoji.ts'
import { isShortcode } from './emoji.rules.ts'
import { EmojiReader } from './emoji.store.ts'
import { unicodeEmoji } from './unicode-emoji.rules.ts'

/** The emoji of a reaction: a Unicode emoji, or a custom one with its image. */
type ReactionEmoji = { name: string; picture: StoredEmoji | undefined; isKnown: boolean }

/** Looks up an emoji by its name. Unknown shortcodes and other texts keep their name and are not known. */
export const namedEmoji =
  ({ database }: { database: Database<StatusesTables> }) =>
  async (name: string): Promise<ReactionEmoji> => {
    const unicode = unicodeEmoji(name)
    if (unicode) return { name: unicode, picture: undefined, isKnown: true }
    const [picture] = isShortcode(name) ? await new EmojiReader(database.db).named([name]) : []
    return { name, picture, isKnown: picture !== undefined }
  }
