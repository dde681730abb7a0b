import { ThreadsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { type Handler, handler } from '@rookery/rpc'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { muteThread, unmuteThread } from './mute-thread.ts'

/** Serves Threads of the contract: muting and unmuting. */
export const createThreadsRpc = (deps: { database: Database<StatusesTables>; views: Views }): Handler => {
  const mute = muteThread(deps)
  const unmute = unmuteThread(deps)
  return handler(ThreadsDefinition, {
    mute: (_call, request) => mute(request),
    unmute: (_call, request) => unmute(request),
  })
}
