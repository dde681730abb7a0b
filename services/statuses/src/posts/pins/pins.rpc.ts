import { PinsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Handler, handler } from '@rookery/rpc'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { pinStatus, unpinStatus } from './pin-status.ts'

/** Serves Pins of the contract; the profile's list of pins is a timeline. */
export const createPinsRpc = (deps: { database: Database<StatusesTables>; views: Views; outbox: Outbox }): Handler => {
  const pin = pinStatus(deps)
  const unpin = unpinStatus(deps)
  return handler(PinsDefinition, {
    pin: (_call, request) => pin(request),
    unpin: (_call, request) => unpin(request),
  })
}
