import { AccountBody, type Overlay, type Poll, type StatusBody, type StatusPage } from '@rookery/contracts/statuses'
import { statusBodyOf } from './status-body.ts'

/** A quoted status, its author, and the current state of its poll. */
export type QuotedStatus = { status: StatusBody; account: AccountBody; poll: Poll | undefined }

/** The quote of a status of a page, if the viewer may see it. */
export const quotedStatus = ({ statuses, accounts }: StatusPage, { quote }: Overlay): QuotedStatus | undefined => {
  const view = quote?.quotedId ? statuses.find(({ id }) => id === quote.quotedId) : undefined
  const author = view && accounts.find(({ id }) => id === view.accountId)
  return author && { status: statusBodyOf(view, author), account: AccountBody.decode(author.body), poll: quote?.overlay?.poll }
}
