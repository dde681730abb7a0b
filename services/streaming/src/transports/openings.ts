import { setImmediate as turn } from 'node:timers/promises'
import { unavailable } from '@rookery/failures'
import { after } from '@rookery/handles'

/** Opens streams in turn. */
export type Openings = {
  /** @throws Failure unavailable when too many wait; what `open` throws */
  inTurn<Result>(open: () => Promise<Result>): Promise<Result>
  /** How many are being opened or wait for their turn. */
  underWay(): number
}

/** Streams that are opened side by side: enough that their tokens are checked together, few enough that a moment's work is short. */
const AT_ONCE = 32
/** How many may wait behind them. */
const MAX_WAITING = 20_000
/** How long one keeps others waiting, in milliseconds: a store that is silent holds up those alone that need it. */
const MAX_HELD = 1000

type Options = { atOnce?: number; held?: number; onError: (error: unknown) => void }

/**
 * Opens streams a few at a time. When all clients of a process come back at once, other requests of that process get their turn in between,
 * and the streams that are open get their events.
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
    // Some at a time, because what they ask for is asked together; what else happened meanwhile comes before.
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
    async inTurn(open) {
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
