import { setImmediate as turn } from 'node:timers/promises'
import { unavailable } from '@rookery/failures'
import { after } from '@rookery/handles'

/** Opens streams with limited concurrency. */
export type Openings = {
  /** @throws Failure unavailable when the queue is full; what `open` throws */
  run<Result>(open: () => Promise<Result>): Promise<Result>
  /** How many are being opened or queued. */
  underWay(): number
}

/** Maximum concurrent openings: enough that their tokens are checked together, few enough to keep the event loop free. */
const AT_ONCE = 32
/** Maximum queued openings. */
const MAX_WAITING = 20_000
/** How long an opening holds its slot, in milliseconds: a silent store must not block openings that do not need it. */
const MAX_HELD = 1000

type Options = { atOnce?: number; held?: number; onError: (error: unknown) => void }

/**
 * Opens a few streams at a time. When all clients of a process reconnect at once, other requests get their turn in between, and open
 * streams get their events.
 */
export const createOpenings = ({ atOnce = AT_ONCE, held = MAX_HELD, onError }: Options): Openings => {
  const queue: (() => void)[] = []
  let running = 0

  const fill = () => {
    const next = queue.splice(0, atOnce - running)
    running += next.length
    for (const enter of next) enter()
  }
  const leave = () => {
    running--
    // Several at once, because their look-ups are batched; after other pending work.
    if (running === Math.floor(atOnce / 2) && queue.length > 0) void turn().then(fill)
  }
  const enter = async () => {
    if (running < atOnce && queue.length === 0) {
      running++
      return
    }
    if (queue.length >= MAX_WAITING) throw unavailable('too many streams are being opened')
    await new Promise<void>((resolve) => queue.push(resolve))
  }

  return {
    underWay: () => running + queue.length,
    async run(open) {
      await enter()
      let isLeft = false
      const leaveOnce = () => {
        if (!isLeft) leave()
        isLeft = true
      }
      const late = after(held, leaveOnce, { onError, holdsProcess: false })
      try {
        return await open()
      } finally {
        late.stop()
        leaveOnce()
      }
    },
  }
}
