import { AccountBody, type Overlay, type Poll, type StatusBody, type StatusPage } from '@rookery/contracts/statuses'
import { statusBodyOf } from './status-body.ts'

/** A status that another shows as its quote, who wrote it, and its poll as it stands. */
export type QuotedStatus = { status: StatusBody; account: AccountBody; poll: Poll | undefined }

/** What a status of a page quotes, where the page's reader is shown it. */
export const quotedStatus = ({ statuses, accounts }: StatusPage, { quote }: Overlay): QuotedStatus | undefined => {
  const view = quote?.quotedId ? statuses.find(({ id }) => id === quote.quotedId) : undefined
  const author = view && accounts.find(({ id }) => id === view.accountId)
  return author && { status: statusBodyOf(view, author), account: AccountBody.decode(author.body), poll: quote?.overlay?.poll }
}
