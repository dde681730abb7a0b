import { type Client as GrpcClient, type Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { after, immediate } from '@rookery/handles'
import type { Call } from './definition.ts'
import { type Lane, openLane } from './exchange-lane.ts'

/** Calls to one callee over shared streams. */
export type Exchange = {
  /** Whether a request may use a shared stream now. */
  carries(request: Buffer): boolean
  /** Sends a call; resolves to the bytes of its answer. @throws Failure of the callee; LostCall without an answer */
  send(call: Call, path: string, request: Buffer): Promise<Buffer>
  close(): void
}

/**
 * Concurrent streams. gRPC opens each to the next replica, and turns of the event loop use them in rotation: so calls are spread over all
 * replicas.
 */
const LANES = 4
/** How long a stream takes calls, in milliseconds: the next one is balanced over the replicas there are by then. */
const LANE_MILLISECONDS = 1000
/** Larger requests are sent separately: those behind them would wait. */
const MAX_REQUEST_BYTES = 256 * 1024
/** How long calls are sent separately after a callee did not support shared streams, as the previous release does not. */
const UNKNOWN_MILLISECONDS = 5000

/** Whether the callee does not support shared streams; none of the calls sent on one has arrived. */
export const isExchangeUnknown = (error: unknown): boolean => (error as Partial<ServiceError>).code === status.UNIMPLEMENTED

/** Streams to one callee, opened on demand. `metadata` gives the metadata of each. */
export const createExchange = (client: GrpcClient, metadata: () => Metadata): Exchange => {
  const lanes: (Lane | undefined)[] = Array.from({ length: LANES })
  let turn = 0
  let current: Lane | undefined
  let unknownUntil = 0

  const open = (): Lane => {
    const lane = openLane(client, metadata())
    after(LANE_MILLISECONDS, lane.retire, { onError: () => {}, holdsProcess: false })
    return lane
  }
  const endMoment = () => {
    current = undefined
  }
  /** All calls of one turn of the event loop use the same lane, those of the next turn the next lane. */
  const laneOfMoment = (): Lane => {
    if (current?.isOpen()) return current
    turn = (turn + 1) % LANES
    const known = lanes[turn]
    const lane = known?.isOpen() ? known : open()
    lanes[turn] = lane
    current = lane
    immediate(endMoment, { onError: () => {} })
    return lane
  }

  return {
    carries: (request) => request.byteLength <= MAX_REQUEST_BYTES && Date.now() >= unknownUntil,
    async send(call, path, request) {
      try {
        return await laneOfMoment().send(call, path, request)
      } catch (error) {
        if (isExchangeUnknown(error)) unknownUntil = Date.now() + UNKNOWN_MILLISECONDS
        throw error
      }
    },
    close() {
      for (const lane of lanes) lane?.retire()
    },
  }
}
