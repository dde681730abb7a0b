import { type AccountView, type Attachment, type FormerStatus, StatusBody } from '@rookery/contracts/statuses'
import { jsonWith } from './json-with.ts'
import { pollEntity } from './poll.ts'
import type { Renderer } from './renderer.ts'
import { statusBodyEntity } from './status.ts'

/** What is said of a file that may be gone. */
const withoutFile = (attachment: Attachment): Attachment => ({
  ...attachment,
  ...{ type: 'unknown', url: '', previewUrl: '', remoteUrl: '', previewRemoteUrl: '' },
})

/** A status as it was, for staff: a Status without files and counts. */
export const formerStatusJson = (
  former: FormerStatus,
  author: AccountView,
  { urls, account }: Pick<Renderer, 'urls' | 'account'>,
): { id: string; json: Buffer } => {
  const body = StatusBody.decode(former.body)
  const entity = {
    ...statusBodyEntity({ ...body, attachments: body.attachments.map(withoutFile), card: undefined }, urls, author),
    reblog: null,
    quote: null,
    poll: former.poll ? pollEntity(body.id, former.poll) : null,
    ...{ replies_count: 0, reblogs_count: 0, favourites_count: 0, quotes_count: 0 },
    quote_approval: { automatic: [], manual: [], current_user: 'denied' },
  }
  return { id: body.id, json: jsonWith(entity, { account: account(author) }) }
}
