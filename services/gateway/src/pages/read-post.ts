import type { StatusContext } from '@rookery/contracts/statuses'
import { notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import { openStatus } from '../open-status.ts'
import { acctIn, type Read } from './read.ts'
import { postsWithIds } from './read-posts.ts'
import { statusPage, type Thread } from './status-page.ts'

const threadOf = ({ page, ancestorIds, descendantIds }: StatusContext): Thread =>
  page ? { ancestors: postsWithIds(page, ancestorIds), descendants: postsWithIds(page, descendantIds) } : { ancestors: [], descendants: [] }

/** Reads the page of a post with its thread, as far as the API returns it without a token. */
export const readPost: Read = async (address, { call, frame, clients }) => {
  const { id = '' } = address
  const acct = acctIn(address)
  if (!isId(id)) throw notFound(`${id} is no id`)
  const { statuses, render } = clients
  const [page, context] = await Promise.all([statuses.read(call, { id, viewerId: '' }), statuses.readContext(call, { id, viewerId: '' })])
  const said = openStatus(page, acct)
  if (said.status.origin) return { status: 302, title: '', location: said.status.origin.url }
  return statusPage({ said, thread: threadOf(context) }, { frame, urls: render.urls })
}
