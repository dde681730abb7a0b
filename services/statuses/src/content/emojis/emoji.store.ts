import type { Db, Tx } from '@rookery/database'
import { type Selectable, sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'
import type { CustomEmojiTable, StoredEmoji } from '../../database/tables/emoji.ts'

export type EmojiRow = Selectable<CustomEmojiTable>

const COLUMNS = ['shortcode', 'category', 'url', 'staticUrl', 'visibleInPicker', 'isDisabled', 'createdAt'] as const

/** The columns as a StoredEmoji. */
const STORED = sql<StoredEmoji>`jsonb_build_object('shortcode', shortcode, 'category', category, 'url', url, 'static_url', static_url,
  'visible_in_picker', visible_in_picker)`

export class EmojiReader {
  protected readonly db: Db<StatusesTables>

  constructor(db: Db<StatusesTables>) {
    this.db = db
  }

  /** All emojis by category and shortcode, those without a category last. */
  async all(): Promise<EmojiRow[]> {
    return this.db.selectFrom('customEmoji').select(COLUMNS).orderBy('category').orderBy('shortcode').execute()
  }

  async find(shortcode: string): Promise<EmojiRow | undefined> {
    return this.db.selectFrom('customEmoji').select(COLUMNS).where('shortcode', '=', shortcode).executeTakeFirst()
  }

  /** The enabled emojis of these shortcodes, in their order. */
  async named(shortcodes: readonly string[]): Promise<StoredEmoji[]> {
    const wanted = sql<string>`any(${[...shortcodes]}::text[])`
    const found = await this.db
      .selectFrom('customEmoji')
      .select(STORED.as('emoji'))
      .where('shortcode', '=', wanted)
      .where('isDisabled', '=', false)
      .execute()
    const byShortcode = new Map(found.map(({ emoji }) => [emoji.shortcode, emoji]))
    return shortcodes.flatMap((shortcode) => byShortcode.get(shortcode) ?? [])
  }
}

export class EmojiWriter extends EmojiReader {
  constructor(tx: Tx<StatusesTables>) {
    super(tx)
  }

  /** Adds an emoji, or replaces the one with the same shortcode. */
  async put(emoji: Omit<EmojiRow, 'visibleInPicker' | 'isDisabled'>): Promise<EmojiRow> {
    const { category, url, staticUrl } = emoji
    const query = this.db
      .insertInto('customEmoji')
      .values(emoji)
      .onConflict((conflict) => conflict.column('shortcode').doUpdateSet({ category, url, staticUrl }))
    return query.returning(COLUMNS).executeTakeFirstOrThrow()
  }

  /** Changes an emoji; undefined if there is none. */
  async change(
    shortcode: string,
    change: Partial<Pick<EmojiRow, 'category' | 'visibleInPicker' | 'isDisabled'>>,
  ): Promise<EmojiRow | undefined> {
    return this.db.updateTable('customEmoji').set(change).where('shortcode', '=', shortcode).returning(COLUMNS).executeTakeFirst()
  }

  /** Deletes an emoji and returns it; undefined if there is none. */
  async remove(shortcode: string): Promise<EmojiRow | undefined> {
    return this.db.deleteFrom('customEmoji').where('shortcode', '=', shortcode).returning(COLUMNS).executeTakeFirst()
  }
}
