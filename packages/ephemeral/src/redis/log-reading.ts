import type { Redis } from 'ioredis'
import type { LiveGap, LiveReader } from '../ports.ts'
import { positionOf, type RedisEntry, type RedisLog, START } from './log.ts'

/** Messages per read, and how long a read blocks for the first one: less than the timeout of a command. */
const BATCH = 500
const WAIT_MILLISECONDS = 500
/** How often the log's TTL is renewed while it is read. */
const RENEW_MILLISECONDS = 60_000

/** A reader's cursor in the log, independent of the connection. */
type LogReading = {
  /** The epoch being read; undefined before the first read. */
  epoch(): string | undefined
  /** Reads everything that is in the log. */
  catchUp(client: Redis): Promise<void>
  /** Reads new messages until `isOver`. @throws Error when Redis is unreachable */
  follow(client: Redis, isOver: () => boolean): Promise<void>
  reportGap(gap: LiveGap): void
  /** Stops delivering to the reader. */
  close(): void
}

export type LogReadingDeps = {
  log: RedisLog
  reader: LiveReader
  /** Called when a new log begins, before any of it is read. */
  onAnotherLog: () => Promise<void>
  onError: (error: unknown) => void
}

/** Reads the log from its start. If it was lost, reads the next one from its start. */
export const createLogReading = ({ log, reader, onAnotherLog, onError }: LogReadingDeps): LogReading => {
  let epoch = ''
  let last = START
  let hasLoaded = false
  let isClosed = false

  const hand = (act: () => void) => {
    try {
      act()
    } catch (error) {
      onError(error)
    }
  }
  const reportGap = (gap: LiveGap) => hand(() => reader.onGap?.(gap))
  const take = (entries: readonly RedisEntry[]) => {
    const isKept = !hasLoaded
    for (const { id, message } of entries) {
      if (isClosed) return
      last = id
      const position = positionOf(epoch, id)
      if (message.length === 0) reportGap({ from: position, isKept })
      else hand(() => reader.read({ message, position, isKept }))
    }
  }
  const catchUp = async (client: Redis) => {
    const begun = await log.begin(client)
    if (begun !== epoch) {
      if (hasLoaded) await onAnotherLog()
      ;[epoch, last] = [begun, START]
    }
    for (let entries = await log.after(client, last, BATCH); entries.length > 0; entries = await log.after(client, last, BATCH))
      take(entries)
    hasLoaded = true
  }

  return {
    epoch: () => epoch || undefined,
    catchUp,
    async follow(client, isOver) {
      let renewAt = performance.now() + RENEW_MILLISECONDS
      while (!isOver()) {
        const next = await log.next(client, last, { count: BATCH, waitMilliseconds: WAIT_MILLISECONDS })
        if (isOver()) return
        if (next.epoch === epoch && performance.now() <= renewAt) take(next.entries)
        else {
          renewAt = performance.now() + RENEW_MILLISECONDS
          await catchUp(client)
        }
      }
    },
    reportGap,
    close() {
      isClosed = true
    },
  }
}
