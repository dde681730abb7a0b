import { after, type Timer } from '@rookery/handles'
import type { Redis } from 'ioredis'
import type { LiveGap, LiveReader } from '../ports.ts'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'
import { positionOf, type RedisEntry, type RedisLog, START } from './log.ts'

/** How many messages are read at once, and how long one reading waits for the first: less than a command may take. */
const BATCH = 500
const WAIT_MILLISECONDS = 500
/** How long the log may be out of reach before readers hear of it. */
const TIMEOUT_MILLISECONDS = 5000
/** How often the log is told that it is still read. */
const RENEW_MILLISECONDS = 60_000

/** A reader's place in the log. */
export type Tail = {
  readonly ready: Promise<void>
  /** The epoch it reads, or undefined before it read any. */
  epoch(): string | undefined
  fault(): string | undefined
  close(): void
}

/**
 * Follows the log on a connection of its own. When that is lost it goes on where it was. When the log was lost it begins with the new one,
 * which begins with a gap.
 */
export const openTail = (given: {
  connection: ConnectionOptions
  log: RedisLog
  reader: LiveReader
  /** Called when another log begins, before anything of it is read. */
  onAnotherLog: () => Promise<void>
  onError: (error: unknown) => void
}): Tail => {
  const { log, reader, onError } = given
  let epoch = ''
  let last = START
  let hasLoaded = false
  let isFollowing = false
  let isClosed = false
  let timeout: Timer | undefined
  /** Which connection is followed: one that was lost must not go on beside the next. */
  let turn = 0

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

  /** Reads everything that is there. */
  const catchUp = async (client: Redis) => {
    const begun = await log.begin(client)
    if (begun !== epoch) {
      if (hasLoaded) await given.onAnotherLog()
      ;[epoch, last] = [begun, START]
    }
    for (;;) {
      const entries = await log.after(client, last, BATCH)
      if (entries.length === 0) break
      take(entries)
    }
    hasLoaded = true
  }
  const follow = async (client: Redis, own: number) => {
    let renewAt = performance.now() + RENEW_MILLISECONDS
    while (own === turn && !isClosed) {
      const next = await log.next(client, last, { count: BATCH, waitMilliseconds: WAIT_MILLISECONDS })
      if (own !== turn) return
      if (next.epoch !== epoch || performance.now() > renewAt) {
        renewAt = performance.now() + RENEW_MILLISECONDS
        await catchUp(client)
      } else take(next.entries)
    }
  }

  const begin = async (client: Redis) => {
    const own = ++turn
    await catchUp(client)
    isFollowing = true
    timeout?.stop()
    follow(client, own).catch((error) => {
      if (own !== turn || isClosed) return
      onError(error)
      // The next connection goes on.
      client.disconnect(true)
    })
  }
  const connection: Connection = openConnection(given.connection, begin)
  connection.client.on('close', () => {
    turn++
    if (isFollowing && !isClosed) {
      timeout?.stop()
      timeout = after(TIMEOUT_MILLISECONDS, () => reportGap({ isKept: false }), { onError, holdsProcess: false })
    }
    isFollowing = false
  })

  return {
    ready: connection.ready,
    epoch: () => epoch || undefined,
    fault: () => connection.fault() ?? (isFollowing ? undefined : 'the live log is not read yet'),
    close() {
      isClosed = true
      timeout?.stop()
      connection.close()
    },
  }
}
