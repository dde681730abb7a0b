import { setImmediate as nextTurn } from 'node:timers/promises'
import { rest } from '@rookery/handles'
import type { Message, Subscription } from '../bus.ts'

/** The messages on their way to one subscription, one set after the other. */
export type Lane = {
  /** Resolves to true when they are handled, to false when they were let go. */
  give(messages: readonly Message[]): Promise<boolean>
  hasRoom(): boolean
  /** Resolves when it has room, or is closed. */
  room(): Promise<void>
  /** Another process may have these messages now: what waits is let go, and what is being handled does not count. */
  forget(): void
  /** What waits is let go, and what is being handled is not tried again. */
  close(): void
}

/** The most messages that a lane is given as one, and hands over as one. */
export const MAX_TOGETHER = 500
/** With as many waiting it has no room. */
const FULL = 2 * MAX_TOGETHER
/** How long messages are gathered that no one waits for, in milliseconds. */
const GATHER = 250
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 5000

type Delivery = { messages: readonly Message[]; done(isHandled: boolean): void }

/** What waits to be handed over, in order, and who waits for room. */
const createQueue = () => {
  let waiting: Delivery[] = []
  let size = 0
  const waiters: (() => void)[] = []
  const notifyWaiters = () => {
    if (size >= FULL) return
    for (const resolve of waiters.splice(0)) resolve()
  }
  return {
    size: () => size,
    add(delivery: Delivery) {
      waiting.push(delivery)
      size += delivery.messages.length
    },
    /** The first of them, as many as may be handed over together. */
    takeTogether(): Delivery[] {
      let count = 0
      const beyond = waiting.findIndex(({ messages }, index) => {
        count += messages.length
        return index > 0 && count > MAX_TOGETHER
      })
      const taken = waiting.splice(0, beyond < 0 ? waiting.length : beyond)
      size -= taken.reduce((sum, { messages }) => sum + messages.length, 0)
      notifyWaiters()
      return taken
    },
    letGo() {
      const dropped = waiting
      waiting = []
      size = 0
      for (const { done } of dropped) done(false)
      notifyWaiters()
    },
    room: () =>
      new Promise<void>((resolve) => {
        waiters.push(resolve)
        notifyWaiters()
      }),
  }
}

/** Works until it succeeds (true) or is over (false). */
const retryUntilOver = async (work: () => Promise<void>, given: { isOver(): boolean; pause(milliseconds: number): Promise<void> }) => {
  for (let wait = FIRST_PAUSE; ; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
    try {
      await work()
      return true
    } catch {
      if (!given.isOver()) await given.pause(wait)
      if (given.isOver()) return false
    }
  }
}

/** Hands messages over in order, all that wait together, and retries a set until it succeeds. Failures are reported. */
export const openLane = (subscription: Subscription, onError: (error: unknown, consumer: string) => void): Lane => {
  const queue = createQueue()
  let timesForgotten = 0
  let isClosed = false
  let isWorking = false
  let pausing = new AbortController()

  const pause = (milliseconds: number) => rest(milliseconds, pausing.signal)
  const letGo = () => {
    queue.letGo()
    pausing.abort()
    pausing = new AbortController()
  }
  const handOver = async (taken: readonly Delivery[]) => {
    const before = timesForgotten
    const isForgotten = () => timesForgotten !== before
    const messages = taken.flatMap((delivery) => delivery.messages)
    const handle = () =>
      subscription.handle(messages).catch((error) => {
        onError(error, subscription.consumer)
        throw error
      })
    const isHandled = await retryUntilOver(handle, { isOver: () => isClosed || isForgotten(), pause })
    for (const { done } of taken) done(isHandled && !isForgotten())
  }
  const work = async () => {
    isWorking = true
    // What one answer of the brokers holds is given within a turn.
    if (subscription.isUnhurried && queue.size() < MAX_TOGETHER) await pause(GATHER)
    else await nextTurn()
    while (queue.size() > 0) await handOver(queue.takeTogether())
    isWorking = false
  }

  return {
    give(messages) {
      if (isClosed) return Promise.resolve(false)
      return new Promise((done) => {
        queue.add({ messages, done })
        if (!isWorking) void work()
      })
    },
    hasRoom: () => queue.size() < FULL,
    room: queue.room,
    forget() {
      timesForgotten++
      letGo()
    },
    close() {
      isClosed = true
      letGo()
    },
  }
}
