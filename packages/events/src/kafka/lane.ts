import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Message, Subscription } from '../bus.ts'

/** Messages on their way to one subscription, one set after the other. */
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

/** The most messages handed over at once, unless more were given at once. */
const MAX = 500
/** With as many waiting it has no room. */
const FULL = 2 * MAX
/** How long messages are gathered that no one waits for, in milliseconds. */
const GATHER = 250
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 5000

type Given = { messages: readonly Message[]; settle(isHandled: boolean): void }

/** What waits to be handed over, in order, and who waits for room. */
const createQueue = () => {
  let waiting: Given[] = []
  let size = 0
  const askers: (() => void)[] = []
  const tellOfRoom = () => {
    if (size >= FULL) return
    for (const tell of askers.splice(0)) tell()
  }
  return {
    size: () => size,
    add(given: Given) {
      waiting.push(given)
      size += given.messages.length
    },
    /** The first of them, as many as may be handed over together. */
    takeTogether(): Given[] {
      let count = 0
      const beyond = waiting.findIndex(({ messages }, index) => {
        count += messages.length
        return index > 0 && count > MAX
      })
      const taken = waiting.splice(0, beyond < 0 ? waiting.length : beyond)
      size -= taken.reduce((sum, { messages }) => sum + messages.length, 0)
      tellOfRoom()
      return taken
    },
    letGo() {
      const dropped = waiting
      waiting = []
      size = 0
      for (const { settle } of dropped) settle(false)
      tellOfRoom()
    },
    room: () =>
      new Promise<void>((resolve) => {
        askers.push(resolve)
        tellOfRoom()
      }),
  }
}

/** Works until it succeeds (true) or is over (false). */
const insist = async (work: () => Promise<void>, given: { isOver(): boolean; rest(milliseconds: number): Promise<void> }) => {
  for (let wait = FIRST_PAUSE; ; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
    try {
      await work()
      return true
    } catch {
      if (!given.isOver()) await given.rest(wait)
      if (given.isOver()) return false
    }
  }
}

/**
 * Hands messages over in the order in which they were given, all that wait together, and again however often that fails: failures are
 * reported.
 */
export const openLane = (subscription: Subscription, onError: (error: unknown, consumer: string) => void): Lane => {
  const queue = createQueue()
  let timesForgotten = 0
  let isClosed = false
  let isWorking = false
  let pausing = new AbortController()

  const rest = (milliseconds: number) => pause(milliseconds, undefined, { signal: pausing.signal }).catch(() => {})
  const letGo = () => {
    queue.letGo()
    pausing.abort()
    pausing = new AbortController()
  }
  const handOver = async (taken: readonly Given[]) => {
    const before = timesForgotten
    const isForgotten = () => timesForgotten !== before
    const messages = taken.flatMap((given) => given.messages)
    const handle = () =>
      subscription.handle(messages).catch((error) => {
        onError(error, subscription.consumer)
        throw error
      })
    const isHandled = await insist(handle, { isOver: () => isClosed || isForgotten(), rest })
    for (const { settle } of taken) settle(isHandled && !isForgotten())
  }
  const work = async () => {
    isWorking = true
    // What one answer of the brokers holds is given within a turn.
    if (subscription.isUnhurried && queue.size() < MAX) await rest(GATHER)
    else await nextTurn()
    while (queue.size() > 0) await handOver(queue.takeTogether())
    isWorking = false
  }

  return {
    give(messages) {
      if (isClosed || messages.length === 0) return Promise.resolve(!isClosed)
      return new Promise((settle) => {
        queue.add({ messages, settle })
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
