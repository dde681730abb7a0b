import type { Database } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import type { StoredEmoji } from '../../database/tables/emoji.ts'
import { isShortcode } from './emoji.rules.ts'
import { EmojiReader } from './emoji.store.ts'
import { unicodeEmoji } from './unicode-emoji.rules.ts'

/** What people react with: an emoji of Unicode, or one of the server's own with its picture. */
type ReactionEmoji = { name: string; picture: StoredEmoji | undefined; isKnown: boolean }

/** The emoji of a name. A shortcode that no emoji has, and any other text, is not known; its name is kept as it is. */
export const namedEmoji =
  ({ database }: { database: Database<StatusesTables> }) =>
  async (name: string): Promise<ReactionEmoji> => {
    const unicode = unicodeEmoji(name)
    if (unicode) return { name: unicode, picture: undefined, isKnown: true }
    const [picture] = isShortcode(name) ? await new EmojiReader(database.db).named([name]) : []
    return { name, picture, isKnown: picture !== undefined }
  }
