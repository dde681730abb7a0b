import { type AttachmentsDefinition, UploadPurpose } from '@rookery/contracts/media'
import type { Attachment, ImportEmojiRequest } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { Failure, invalid } from '@rookery/failures'
import type { Ids } from '@rookery/ids'
import type { Call, Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { pictureParts } from '../attachments/index.ts'
import { emojiActed } from './emoji.events.ts'
import { emojiFaults } from './emoji.rules.ts'
import { type EmojiRow, EmojiWriter } from './emoji.store.ts'

type Deps = {
  database: Database<StatusesTables>
  outbox: Outbox
  attachments: Client<typeof AttachmentsDefinition>
  ids: Ids
  clock: Clock
}

/** Uploads the image permanently: it is claimed for a new id as owner and subject, so that nothing ever releases it. */
const keep = async ({ attachments, ids }: Deps, call: Call, request: ImportEmojiRequest): Promise<Attachment> => {
  const ownerId = ids.next()
  const { attachment } = await attachments.upload(
    call,
    pictureParts({ ownerId, fileName: request.shortcode, purpose: UploadPurpose.EMOJI }, request.picture),
  )
  const claimed = await attachments.claim(call, { ownerId, ids: attachment ? [attachment.id] : [], subjectId: ownerId })
  const [kept] = claimed.attachments
  if (!kept) throw new Failure('broken', 'The picture could not be kept')
  return kept
}

/**
 * Adds an emoji, or replaces the one with the same shortcode; existing texts keep the former image.
 * @throws Failure invalid for an invalid shortcode, or an image that is too large, of another type or unreadable
 */
export const importEmoji =
  (deps: Deps) =>
  async (call: Call, request: ImportEmojiRequest): Promise<EmojiRow> => {
    const faults = emojiFaults(request)
    if (faults.length > 0) throw invalid(...faults)
    const picture = await keep(deps, call, request)
    const emoji = {
      shortcode: request.shortcode,
      category: request.category.trim() || null,
      url: picture.url,
      staticUrl: picture.previewUrl || picture.url,
      createdAt: new Date(deps.clock.now()),
    }
    return transact(deps.database.db, async (tx) => {
      await deps.outbox.append(tx, [emojiActed('import_emoji', request.staffId, request.shortcode)])
      return new EmojiWriter(tx).put(emoji)
    })
  }
