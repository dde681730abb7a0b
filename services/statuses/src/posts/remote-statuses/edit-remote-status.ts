import type { RemoteStatus } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { Ids } from '@rookery/ids'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { LinkFollower } from '../../content/cards/index.ts'
import type { Mentionable } from '../../content/text/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { StoredEmoji } from '../../database/tables/emoji.ts'
import type { StoredAttachment } from '../../database/tables/status.ts'
import { type EditableStatus, type Edited, EditWriter, isChanged, replaceContent } from '../editing/index.ts'
import { PollWriter } from '../polls/index.ts'
import { storedMention } from '../statuses/index.ts'
import { remoteAttachments, remotePoll, remoteWording } from './remote-status.rules.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; followLink: LinkFollower; clock: Clock; ids: Ids }
/** Replaces the URLs of remote files with URLs of this server. */
export type OwnAddresses = { attachment(stored: StoredAttachment): StoredAttachment; emoji(stored: StoredEmoji): StoredEmoji }

type Edit = { id: string; status: RemoteStatus; people: readonly Mentionable[]; unusableTags: readonly string[]; own: OwnAddresses }

/** Whether the received status was edited later than the stored one. */
const isNewer = ({ editedAtMilliseconds }: RemoteStatus, { editedAt, createdAt }: EditableStatus): boolean =>
  editedAtMilliseconds !== undefined && editedAtMilliseconds > (editedAt ?? createdAt).getTime()

const isOlder = ({ editedAtMilliseconds }: RemoteStatus, { editedAt }: EditableStatus): boolean =>
  editedAt !== null && (editedAtMilliseconds ?? 0) < editedAt.getTime()

/** Whether a received status is newer than the stored one and differs from it visibly. */
const isEdit = (status: RemoteStatus, before: EditableStatus, edited: Edited): boolean =>
  isNewer(status, before) && (isChanged(before, edited) || before.content !== edited.content)

/**
 * Replaces a stored remote status with the received one, as an edit: with a revision and an event. An older version changes nothing, one of the
 * same time only the votes of its poll.
 */
export const editRemoteStatus =
  ({ database, outbox, followLink, clock, ids }: Deps) =>
  async (call: Call, { id, status, people, unusableTags, own }: Edit): Promise<void> => {
    const { links, ...said } = remoteWording(status, unusableTags)
    const words = { ...said, emojis: said.emojis.map(own.emoji) }
    await transact(database.db, async (tx) => {
      const showLink = await followLink(tx, { text: links, attachments: status.attachments })
      const before = await new EditWriter(tx).lock(id, status.authorId)
      if (!before || isOlder(status, before)) return
      const at = new Date(Math.min(status.editedAtMilliseconds ?? 0, clock.now()))
      const attachments = remoteAttachments(status.attachments, () => ids.next(), before.attachments).map(own.attachment)
      const edited: Edited = { ...words, id, mentions: people.map(storedMention), attachments, at }
      if (isEdit(status, before, edited)) {
        await replaceContent({ outbox }, tx, { before, edited, authorId: status.authorId, showLink, trace: call.trace })
      }
      const poll = remotePoll(status.poll)
      if (poll) await new PollWriter(tx).recount(id, poll)
    })
  }
