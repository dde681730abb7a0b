import { AccountBody, type StatusPage, Visibility } from '@rookery/contracts/statuses'
import { acctOf } from '@rookery/entities'
import { notFound, orNotFound } from '@rookery/failures'
import { quotedStatus } from './quoted-status.ts'
import { statusBodyOf } from './status-body.ts'

/** The status, author and counts of a page that anyone may see under an address of that author's. @throws Failure not_found */
export const openStatus = (page: StatusPage, acct: string) => {
  const { items, statuses, accounts } = page
  const item = orNotFound(items[0])
  const view = orNotFound(statuses.find(({ id }) => id === item.id))
  const author = orNotFound(accounts.find(({ id }) => id === view.accountId))
  const [status, account] = [statusBodyOf(view, author), AccountBody.decode(author.body)]
  const isOpen = status.visibility === Visibility.PUBLIC || status.visibility === Visibility.UNLISTED
  const isTheirs = acctOf(account).toLowerCase() === acct.toLowerCase()
  if (!isOpen || status.reblogOfId || !isTheirs) throw notFound(`status ${status.id} is not for everyone`)
  const overlay = orNotFound(item.overlay)
  return { status, account, overlay, quoted: quotedStatus(page, overlay) }
}
