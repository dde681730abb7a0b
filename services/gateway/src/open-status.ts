import { AccountBody, type StatusPage } from '@rookery/contracts/statuses'
import { acctOf } from '@rookery/entities'
import { notFound, orNotFound } from '@rookery/failures'
import { quotedStatus } from './quoted-status.ts'
import { statusBodyOf } from './status-body.ts'

/**
 * The status, author and counts of a page that was read without a viewer, so that everyone may see them, by the author's acct.
 * @throws Failure not_found when the status is missing, of another author, or a boost
 */
export const openStatus = (page: StatusPage, acct: string) => {
  const { items, statuses, accounts } = page
  const item = orNotFound(items[0])
  const view = orNotFound(statuses.find(({ id }) => id === item.id))
  const author = orNotFound(accounts.find(({ id }) => id === view.accountId))
  const [status, account] = [statusBodyOf(view, author), AccountBody.decode(author.body)]
  const isTheirs = acctOf(account).toLowerCase() === acct.toLowerCase()
  if (status.reblogOfId || !isTheirs) throw notFound(`status ${status.id} is no post of ${acct}`)
  const overlay = orNotFound(item.overlay)
  return { status, account, overlay, quoted: quotedStatus(page, overlay) }
}
