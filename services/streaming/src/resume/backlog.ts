import { after, type Timer } from '@rookery/handles'
import type { Prepared } from '../channels/frames.ts'
import type { Backlog, Connection } from '../channels/subscriber.ts'
import type { Slices } from '../slices.ts'

/** Maximum live events held back until the missed ones are sent. */
const MAX_HELD = 1000
/** Maximum bytes in a connection's buffers before sending pauses. */
const WINDOW = 256 * 1024
/** Missed events per write. */
const AT_ONCE = 64
/** How long a reader may take to make room, in milliseconds. */
const STALLED_MILLISECONDS = 30_000

type Paced = { connection: Connection; label: string; onRoom: () => void; onStalled: () => void }

/** Sends events to a reader with backpressure: pauses while the connection's buffers are full. */
const createPacedSender = ({ connection, label, onRoom, onStalled }: Paced) => {
  let stalled: Timer | undefined
  const stop = () => {
    stalled?.stop()
    stalled = undefined
  }
  const goOn = () => {
    stop()
    onRoom()
  }
  return {
    stop,
    isStalled: () => stalled !== undefined,
    send(event: Prepared) {
      if (connection.unsent() < WINDOW) return connection.send(event, label)
      stalled = after(STALLED_MILLISECONDS, onStalled, { onError: onStalled, holdsProcess: false })
      connection.send(event, label, goOn)
    },
  }
}

/** Runs `act` in the next slice; calls before that slice are merged into one run. */
const oncePerSlice = (slices: Slices, act: () => void) => {
  let isWaiting = false
  return () => {
    if (isWaiting) return
    isWaiting = true
    void slices.run(() => {
      isWaiting = false
      act()
    })
  }
}

/**
 * Sends a backlog as fast as its reader takes it. A reader that stalls, or falls behind the live events, is disconnected. `onEmpty` is
 * called when the stream is up to date.
 */
export const createBacklog = (given: { connection: Connection; label: string; slices: Slices; onEmpty: () => void }): Backlog => {
  const { connection, label, slices, onEmpty } = given
  let missed: Prepared[] = []
  let held: Prepared[] = []
  let next = 0
  let isFinished = false
  let isOver = false

  const cancel = () => {
    isOver = true
    missed = []
    held = []
    sender.stop()
  }
  const end = () => {
    cancel()
    connection.end('events may be missing')
  }
  const pump = oncePerSlice(slices, () => connection.together(sendAll))
  const sender = createPacedSender({ connection, label, onRoom: pump, onStalled: end })
  const sendAll = () => {
    while (!sender.isStalled() && !isOver && next < missed.length) sender.send(missed[next++]!)
    if (sender.isStalled() || isOver || !isFinished) return
    ;[missed, held, next] = [held, [], 0]
    if (missed.length > 0) return sendAll()
    isOver = true
    onEmpty()
  }

  return {
    cancel,
    replay(event) {
      if (isOver) return
      missed.push(event)
      if (missed.length - next >= AT_ONCE) pump()
    },
    hold(event) {
      if (isOver) return
      held.push(event)
      if (held.length > MAX_HELD) end()
    },
    finish() {
      isFinished = true
      pump()
    },
  }
}
