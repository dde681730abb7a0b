import type { Database } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import type { StoredEmoji } from '../../database/tables/emoji.ts'
import { writeRemoteEmojis } from './remote-emoji.store.ts'

/** Emojis as another server sends them, and the function that gives them addresses here. */
type RemoteEmojis = { domain: string; emojis: readonly StoredEmoji[]; own(emoji: StoredEmoji): StoredEmoji }

/** Records the emojis of a remote status or profile under their domain, for staff. No statement if there are none. */
export const keepRemoteEmojis =
  (database: Database<StatusesTables>) =>
  async ({ domain, emojis, own }: RemoteEmojis): Promise<void> => {
    if (emojis.length === 0) return
    const rows = emojis.map((emoji) => {
      const { url, static_url } = own(emoji)
      return { shortcode: emoji.shortcode, remote_url: emoji.url, url, static_url }
    })
    await writeRemoteEmojis(database, { domain, emojis: JSON.stringify(rows) })
  }
