import { after, type Timer } from '@rookery/handles'
import type { Redis } from 'ioredis'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'
import { createLogReading, type LogReadingDeps } from './log-reading.ts'

/** How long the log may be unreachable before readers get a gap. */
const TIMEOUT_MILLISECONDS = 5000

/** A subscription that follows the log. */
export type Tail = {
  readonly ready: Promise<void>
  /** The epoch being read; undefined before the first read. */
  epoch(): string | undefined
  fault(): string | undefined
  close(): void
}

/**
 * Follows the log on a connection of its own. After a reconnect it continues where it was; after a lost log it reads the new one, which
 * begins with a gap.
 */
export const openTail = (given: LogReadingDeps & { connection: ConnectionOptions }): Tail => {
  const { onError } = given
  const reading = createLogReading(given)
  let isFollowing = false
  let isClosed = false
  let timeout: Timer | undefined
  /** The number of the connection that is followed: a lost one must not continue beside the next. */
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
      // The next connection continues.
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
