import { type Client as GrpcClient, type Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { after, soon } from '@rookery/handles'
import type { Call } from './definition.ts'
import { type Lane, openLane } from './exchange-lane.ts'

/** Calls to one callee over streams that they share. */
export type Exchange = {
  /** Whether a request may go this way now. */
  carries(request: Buffer): boolean
  /** Sends a call and gives the bytes of its answer. @throws Failure that was answered; LostCall when no one answered */
  send(call: Call, path: string, request: Buffer): Promise<Buffer>
  close(): void
}

/** Streams side by side. gRPC opens each to the next replica, and moments take them in turn: so calls go to all replicas. */
const LANES = 4
/** After so many milliseconds a stream takes no further calls: the next one knows replicas that have come, and leaves those that go. */
const LANE_MILLISECONDS = 1000
/** Larger requests go by themselves: those behind them would wait. */
const MAX_REQUEST_BYTES = 256 * 1024
/** How long calls go by themselves after a callee did not know of streams of calls, as one of the release before does not. */
const UNKNOWN_MILLISECONDS = 5000

/** Whether the callee does not support streams of calls; none of the calls sent on one has arrived. */
export const isExchangeUnknown = (error: unknown): boolean => (error as Partial<ServiceError>).code === status.UNIMPLEMENTED

/** Streams to one callee, opened when they are needed. `metadata` is what each begins with. */
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
  /** All calls of one turn of the event loop take the same lane, those of the next turn the next one. */
  const laneOfMoment = (): Lane => {
    if (current?.isOpen()) return current
    turn = (turn + 1) % LANES
    const known = lanes[turn]
    const lane = known?.isOpen() ? known : open()
    lanes[turn] = lane
    current = lane
    soon(endMoment, { onError: () => {} })
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
