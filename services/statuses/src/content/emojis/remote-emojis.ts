import type { RemoteFilesDefinition } from '@rookery/contracts/media'
import type {
  CopyRemoteEmojiRequest,
  CustomEmoji,
  ListRemoteEmojisRequest,
  RemoteEmoji,
  RemoteEmojiList,
  RemoteEmojiRequest,
} from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import { coveringDomains, decisionFor } from '@rookery/domain-names'
import type { Outbox } from '@rookery/events'
import { invalid, orNotFound } from '@rookery/failures'
import type { Call, Client } from '@rookery/rpc'
import type { StatusesTables } from '../../database/schema.ts'
import { emojiActed } from './emoji.events.ts'
import { customEmojiMessage } from './emoji.message.ts'
import { EmojiReader } from './emoji.store.ts'
import type { importEmoji } from './import-emoji.ts'
import { type RemoteEmojiRow, readMediaDecisions, readRemoteEmoji, readRemoteEmojis, removeRemoteEmoji } from './remote-emoji.store.ts'

type Deps = {
  database: Database<StatusesTables>
  outbox: Outbox
  remoteFiles: Client<typeof RemoteFilesDefinition>
  add: ReturnType<typeof importEmoji>
}

const PAGE = 100

const messageOf = ({ remoteUrl: _, ...emoji }: RemoteEmojiRow): RemoteEmoji => emoji
const cleaned = (domain: string): string => domain.trim().toLowerCase()

/** The calls of staff and operators for emojis of other servers. */
export const remoteEmojis = ({ database, outbox, remoteFiles, add }: Deps) => ({
  /** Leaves out domains whose media are rejected. */
  async listRemote(_call: Call, { domain, afterDomain, afterShortcode }: ListRemoteEmojisRequest): Promise<RemoteEmojiList> {
    const page = { domain: cleaned(domain), after: { domain: afterDomain, shortcode: afterShortcode }, limit: PAGE + 1 }
    const rows = await readRemoteEmojis(database, page)
    const decisions = await readMediaDecisions(database, { domains: rows.flatMap((row) => coveringDomains(row.domain)) })
    const shown = rows.slice(0, PAGE).filter((row) => !decisionFor(row.domain, decisions))
    const last = rows.length > PAGE ? rows[PAGE - 1] : undefined
    return { emojis: shown.map(messageOf), nextAfterDomain: last?.domain ?? '', nextAfterShortcode: last?.shortcode ?? '' }
  },

  /** @throws Failure not_found, also if the image cannot be fetched; invalid for a taken or invalid shortcode, or an image that is too large */
  async copyRemote(call: Call, request: CopyRemoteEmojiRequest): Promise<CustomEmoji> {
    const { category, staffId } = request
    const named = { domain: cleaned(request.domain), shortcode: request.shortcode }
    const emoji = orNotFound(await readRemoteEmoji(database.db, named), `no emoji ${named.shortcode} of ${named.domain}`)
    const shortcode = request.newShortcode.trim() || emoji.shortcode
    if (await new EmojiReader(database.db).find(shortcode)) throw invalid('Shortcode has already been taken')
    const { content } = await remoteFiles.readEmoji(call, { domain: emoji.domain, url: emoji.remoteUrl })
    return customEmojiMessage(await add(call, { shortcode, category, picture: content, staffId }))
  },

  /** @throws Failure not_found */
  removeRemote: (_call: Call, { domain, shortcode, staffId }: RemoteEmojiRequest): Promise<RemoteEmoji> =>
    transact(database.db, async (tx) => {
      const emoji = orNotFound(await removeRemoteEmoji(tx, { domain: cleaned(domain), shortcode }), `no emoji ${shortcode} of ${domain}`)
      await outbox.append(tx, [emojiActed('remove_emoji', staffId, shortcode, emoji.domain)])
      return messageOf(emoji)
    }),
})
