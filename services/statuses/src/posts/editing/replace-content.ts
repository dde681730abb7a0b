import { afterCommit, type Tx } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { addressRecipients, isDirect } from '../../audience/index.ts'
import { storedPreview } from '../../content/attachments/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { StoredAttachment } from '../../database/tables/status.ts'
import { PollWriter, scheduleEnd } from '../polls/index.ts'
import { statusEdited } from '../statuses/index.ts'
import { keepsPlace } from './edit.rules.ts'
import { type EditableStatus, type Edited, EditWriter, type Revision } from './edit.store.ts'

/** The content of a locked status before and after an edit. */
type Change = {
  before: EditableStatus
  edited: Edited
  authorId: string
  /** The files that the edit adds or describes: earlier revisions get their previews. */
  fresh?: readonly StoredAttachment[]
  showLink: (statusId: string) => Promise<void>
  trace: string
}

/**
 * Writes an edit, on the first with the original as a revision, and the events for servers and clients with the status, and for accounts mentioned
 * for the first time (beyond-the-spec 1.10, Edit).
 */
export const replaceContent = async (
  { outbox }: { outbox: Outbox },
  tx: Tx<StatusesTables>,
  { before, edited, authorId, fresh = [], showLink, trace }: Change,
): Promise<void> => {
  const original = before.hasRevisions ? [] : [revisionOf(before, fresh)]
  const known = new Set(before.mentions.map(({ id }) => id))
  const isPrivateMention = isDirect(before.visibility)
  const act = { actorId: authorId, reason: 'mention', statusId: edited.id, isPrivateMention }
  const acts = edited.mentions.filter(({ id }) => !known.has(id)).map(({ id }) => ({ ...act, recipientId: id }))
  const mentionedIds = edited.mentions.map(({ id }) => id)
  const notified = await addressRecipients(tx, acts, edited.at, mentionedIds)
  const hasJoiners = isPrivateMention && acts.length > 0
  const former = { previousTags: before.tags, hadMedia: before.attachments.length > 0 }
  const about = { statusId: edited.id, authorId, ...former, hasJoiners, keepsPlace: keepsPlace(before, edited) }
  const events = [statusEdited(about), ...notified].map((event) => outbox.row(event, trace))
  await new EditWriter(tx).write(edited, { revisions: [...original, edited], events })
  afterCommit(tx, outbox.wake)
  await showLink(edited.id)
  await new PollWriter(tx).replace(edited.id, before.poll, edited.poll)
  if (edited.poll) await scheduleEnd(tx, edited.id)
}

/** The files with their current previews: the former ones are deleted. */
const withPreviewsOf = (files: readonly StoredAttachment[], now: readonly StoredAttachment[]): StoredAttachment[] =>
  files.map((file) => ({ ...file, ...storedPreview(now.find(({ id }) => id === file.id) ?? file) }))

const revisionOf = (before: EditableStatus, fresh: readonly StoredAttachment[]): Revision => ({
  content: before.content,
  spoilerText: before.spoilerText,
  sensitive: before.sensitive,
  attachments: withPreviewsOf(before.attachments, fresh),
  poll: before.poll,
  emojis: before.emojis,
  at: before.editedAt ?? before.createdAt,
})
