import type { Visibility } from '@rookery/contracts/statuses'
import type { OutboxEvent } from '@rookery/events'
import { statusPublished, visibilityName } from '../statuses/index.ts'

/** A boost was published, with its audience. */
export const boostPublished = (
  boostId: string,
  { viewerId, target }: { viewerId: string; target: { id: string; authorId: string } },
  audience: Visibility,
): OutboxEvent =>
  statusPublished({
    statusId: boostId,
    authorId: viewerId,
    reblogOfId: target.id,
    reblogOfAuthorId: target.authorId,
    visibility: visibilityName(audience),
    inReplyToAccountId: '',
    tags: [],
    hasMedia: false,
    mentionedAccountIds: [],
  })
