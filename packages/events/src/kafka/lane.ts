import { setImmediate as nextTurn } from 'node:timers/promises'
import { sleep } from '@rookery/handles'
import type { Message, Subscription } from '../bus.ts'

/** A bounded queue of messages for one subscription, which are delivered in batches, one after the other. */
export type Lane = {
  /** Resolves to true when they are handled, to false when they were dropped. */
  give(messages: readonly Message[]): Promise<boolean>
  hasRoom(): boolean
  /** Resolves when it has room, or is closed. */
  room(): Promise<void>
  /** The partitions may have been reassigned: queued messages are dropped, and the batch being handled does not count. */
  forget(): void
  /** Queued messages are dropped, and the batch being handled is not retried. */
  close(): void
}

/** Maximum messages per call of `give` and per delivered batch. */
export const MAX_TOGETHER = 500
/** With this many messages queued, it has no room. */
const FULL = 2 * MAX_TOGETHER
/** How long messages are collected when latency does not matter, in milliseconds. */
const GATHER = 250
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 5000

type Delivery = { messages: readonly Message[]; done(isHandled: boolean): void }

/** The queued messages in order, and the callers that wait for room. */
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
    /** Dequeues the next batch. */
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

/** Retries until the work succeeds (true) or `isOver` (false). */
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

/** Delivers messages in order, everything queued in one batch, and retries a batch until it succeeds. Errors are reported. */
export const openLane = (subscription: Subscription, onError: (error: unknown, consumer: string) => void): Lane => {
  const queue = createQueue()
  let timesForgotten = 0
  let isClosed = false
  let isWorking = false
  let pausing = new AbortController()

  const pause = (milliseconds: number) => sleep(milliseconds, pausing.signal)
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
    // The messages of one fetch arrive within a turn of the event loop.
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
