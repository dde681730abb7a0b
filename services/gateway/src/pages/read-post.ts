import type { StatusContext } from '@rookery/contracts/statuses'
import { notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import { openStatus } from '../open-status.ts'
import { type Read, usernameOf } from './read.ts'
import { postsWithIds } from './read-posts.ts'
import { statusPage, type Thread } from './status-page.ts'

const threadOf = ({ page, ancestorIds, descendantIds }: StatusContext): Thread =>
  page ? { ancestors: postsWithIds(page, ancestorIds), descendants: postsWithIds(page, descendantIds) } : { ancestors: [], descendants: [] }

/** The page of a post with its thread, as long as the API gives it to callers without a token. */
export const readPost: Read = async (address, { call, frame, clients }) => {
  const { id = '' } = address
  const username = usernameOf(address)
  if (!isId(id)) throw notFound(`${id} is no id`)
  const { statuses, render } = clients
  const [page, context] = await Promise.all([statuses.read(call, { id, viewerId: '' }), statuses.readContext(call, { id, viewerId: '' })])
  return statusPage({ said: openStatus(page, username), thread: threadOf(context) }, { frame, urls: render.urls })
}
