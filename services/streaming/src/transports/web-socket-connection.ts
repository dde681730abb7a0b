import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { OpenChannels } from '../channels/open.ts'
import type { Connection, EndReason, Person } from '../channels/subscriber.ts'
import type { StreamCounts } from '../stream.metrics.ts'
import { MAX_BUFFERED } from './limits.ts'

/** Close codes (RFC 6455, 7.4.1, and 1012 of IANA's registry: service restart). */
const CODES: Record<EndReason, number> = {
  'token is no longer valid': 1008,
  'network has no access': 1008,
  'server is going away': 1001,
  'events may be missing': 1012,
}

const TEXT = { binary: false }

type Counts = Pick<StreamCounts, 'cut'>

/** Whether a socket has room; disconnects a reader that is too slow. */
const takesMore = (socket: WebSocket, counts: Counts): boolean => {
  if (socket.readyState !== socket.OPEN) return false
  if (socket.bufferedAmount <= MAX_BUFFERED) return true
  counts.cut++
  socket.terminate()
  return false
}

/** Sends frames over WebSockets, and disconnects readers that are too slow. */
export const createFrameSender =
  (counts: Counts) =>
  (socket: WebSocket, frame: Buffer | string, onSent?: () => void): void => {
    if (takesMore(socket, counts)) socket.send(frame, TEXT, onSent && ((error) => error ?? onSent()))
  }

/**
 * Writes a frame that was encoded for all its receivers directly to the carrier of a WebSocket, and disconnects readers that are too slow.
 * Nothing is compressed, so frames that ws itself sends are also written at once and stay in order.
 */
export const createFrameWriter =
  (counts: Counts) =>
  ({ socket, carrier }: Pick<Carried, 'socket' | 'carrier'>, frame: Buffer, onSent?: () => void): void => {
    if (takesMore(socket, counts)) carrier.write(frame, onSent && ((error) => error ?? onSent()))
  }

/** Answers pings, and disconnects clients that send them without reading the answers. */
export const createPongSender =
  (counts: Counts) =>
  (socket: WebSocket, data: Buffer): void => {
    if (takesMore(socket, counts)) socket.pong(data)
  }

type Carried = { socket: WebSocket; person: Person; carrier: Duplex }

/** A person's connection over a WebSocket, whose bytes `carrier` carries. */
export const webSocketConnection = (
  carried: Carried,
  { open, write }: { open: Pick<OpenChannels, 'remove'>; write: ReturnType<typeof createFrameWriter> },
): Connection => {
  const { socket, person, carrier } = carried
  const connection: Connection = {
    person,
    send: (event, label, onSent) => write(carried, event.frame(label), onSent),
    together: (act) => {
      carrier.cork()
      act()
      carrier.uncork()
    },
    unsent: () => socket.bufferedAmount,
    end: (reason) => {
      open.remove(connection)
      socket.close(CODES[reason], reason)
    },
  }
  return connection
}
