import { MarkersDefinition } from '@rookery/contracts/notifications'
import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { NotificationsTables } from '../database/schema.ts'
import { readMarkers } from './read-markers.ts'
import { writeMarkers } from './write-markers.ts'

/** Serves `Markers`. */
export const createMarkersRpc = (deps: { database: Database<NotificationsTables>; outbox: Outbox; clock: Clock }): Handler => {
  const read = readMarkers(deps)
  const write = writeMarkers(deps)
  return handler(MarkersDefinition, {
    read: async (_call, request) => ({ markers: await read(request) }),
    write: async (_call, request) => ({ markers: await write(request) }),
  })
}
