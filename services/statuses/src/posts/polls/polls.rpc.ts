import { PollsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { vote } from './vote.ts'

/** Serves Polls of the contract: voting. A poll is read with its status. */
export const createPollsRpc = (deps: { database: Database<StatusesTables>; views: Views; outbox: Outbox; clock: Clock }): Handler =>
  handler(PollsDefinition, { vote: vote(deps) })
