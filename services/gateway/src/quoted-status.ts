import { AccountBody, type Overlay, type StatusBody, type StatusPage } from '@rookery/contracts/statuses'
import { statusBodyOf } from './status-body.ts'

/** A status that another shows as its quote, and who wrote it. */
export type QuotedStatus = { status: StatusBody; account: AccountBody }

/** What a status of a page quotes, where the page's reader is shown it. */
export const quotedStatus = ({ statuses, accounts }: StatusPage, overlay: Overlay): QuotedStatus | undefined => {
  const view = overlay.quote?.quotedId ? statuses.find(({ id }) => id === overlay.quote?.quotedId) : undefined
  const author = view && accounts.find(({ id }) => id === view.accountId)
  return author && { status: statusBodyOf(view, author), account: AccountBody.decode(author.body) }
}
