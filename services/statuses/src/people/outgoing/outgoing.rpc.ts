import { OutgoingDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { type Handler, handler } from '@rookery/rpc'
import type { StatusesTables } from '../../database/schema.ts'
import { readAudience, readOutgoingStatus, readQuoteAuthorization, readReferences, readReplies } from '../../posts/outgoing/index.ts'
import type { Views } from '../../views/index.ts'
import { readActors, readRemoteFollowers } from './read-actors.ts'
import { readCollection } from './read-collection.ts'

/** Serves Outgoing of the contract: local accounts and statuses for other servers, and their audience. */
export const createOutgoingRpc = (deps: { database: Database<StatusesTables>; views: Views; baseUrl: string }): Handler => {
  const actors = readActors(deps)
  const status = readOutgoingStatus(deps)
  const audience = readAudience(deps)
  const followers = readRemoteFollowers(deps)
  const collection = readCollection(deps)
  const replies = readReplies(deps)
  const references = readReferences(deps)
  const authorization = readQuoteAuthorization(deps)
  return handler(OutgoingDefinition, {
    readActors: (_call, request) => actors(request),
    readStatus: (_call, request) => status(request),
    readAudience: (_call, request) => audience(request),
    readRemoteFollowers: (_call, request) => followers(request),
    readCollection: (_call, request) => collection(request),
    readReplies: (_call, request) => replies(request),
    readReferences: (_call, request) => references(request),
    readQuoteAuthorization: (_call, request) => authorization(request),
  })
}
