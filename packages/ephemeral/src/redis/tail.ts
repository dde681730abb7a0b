import { after, type Timer } from '@rookery/handles'
import type { Redis } from 'ioredis'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'
import { createLogReading, type LogReadingDeps } from './log-reading.ts'

/** How long the log may be out of reach before readers hear of it. */
const TIMEOUT_MILLISECONDS = 5000

/** A reader's place in the log. */
export type Tail = {
  readonly ready: Promise<void>
  /** The epoch it reads, or undefined before it read any. */
  epoch(): string | undefined
  fault(): string | undefined
  close(): void
}

/**
 * Follows the log on a connection of its own. After a lost connection it continues where it was. After a lost log it reads the new one,
 * which begins with a gap.
 */
export const openTail = (given: LogReadingDeps & { connection: ConnectionOptions }): Tail => {
  const { onError } = given
  const reading = createLogReading(given)
  let isFollowing = false
  let isClosed = false
  let timeout: Timer | undefined
  /** Which connection is followed: one that was lost must not go on beside the next. */
  let turn = 0

  const begin = async (client: Redis) => {
    const own = ++turn
    const isOver = () => own !== turn || isClosed
    await reading.catchUp(client)
    isFollowing = true
    timeout?.stop()
    reading.follow(client, isOver).catch((error) => {
      if (isOver()) return
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
      timeout = after(TIMEOUT_MILLISECONDS, () => reading.reportGap({ isKept: false }), { onError, holdsProcess: false })
    }
    isFollowing = false
  })

  return {
    ready: connection.ready,
    epoch: reading.epoch,
    fault: () => connection.fault() ?? (isFollowing ? undefined : 'the live log is not read yet'),
    close() {
      isClosed = true
      reading.close()
      timeout?.stop()
      connection.close()
    },
  }
}
