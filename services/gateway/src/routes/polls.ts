import type { StatusPage } from '@rookery/contracts/statuses'
import { pollEntity } from '@rookery/entities'
import { orNotFound } from '@rookery/failures'
import { SingleStatus, User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { form, integerList } from '../http/fields.ts'
import { recordId } from './replies.ts'

/** The poll of a status. @throws Failure not_found without one */
const pollReply = ({ items }: StatusPage) => {
  const item = orNotFound(items[0])
  return pollEntity(item.id, orNotFound(item.overlay?.poll, `status ${item.id} has no poll`))
}

export const readPoll = endpoint({
  method: 'GET',
  path: '/api/v1/polls/:id',
  access: SingleStatus,
  summary: 'A poll.',
  handle: async ({ call, params, viewerId }, { statuses }) => pollReply(await statuses.read(call, { id: recordId(params), viewerId })),
})

export const voteInPoll = endpoint({
  method: 'POST',
  path: '/api/v1/polls/:id/votes',
  access: User('write:statuses'),
  summary: 'Votes in a poll, once, with all choices.',
  input: form({ choices: integerList() }),
  handle: async ({ call, params, input, viewerId }, { polls }) =>
    pollReply(await polls.vote(call, { id: recordId(params), viewerId, choices: input.choices })),
})
