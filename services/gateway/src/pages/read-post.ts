import { notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import { openStatus } from '../open-status.ts'
import { type Read, usernameOf } from './read.ts'
import { statusPage } from './status-page.ts'

/** The page of a post. */
export const readPost: Read = async (address, { call, frame, clients }) => {
  const { id = '' } = address
  const username = usernameOf(address)
  if (!isId(id)) throw notFound(`${id} is no id`)
  const { urls } = clients.render
  return statusPage(openStatus(await clients.statuses.read(call, { id, viewerId: '' }), username), { frame, urls })
}
