import type { LiveChannel } from '../ports.ts'
import type { Connection, ConnectionOptions } from './connection.ts'
import { GAP, redisLog } from './log.ts'
import { openTail, type Tail } from './tail.ts'

/** The live log over Redis. Each subscription reads it on a connection of its own. */
export const redisLive = (given: {
  connection: ConnectionOptions
  commands: Connection
  prefix: string
  /** Called when a new log begins, before any of it is read. */
  onAnotherLog: () => Promise<void>
  onError: (error: unknown) => void
}): LiveChannel & {
  /** Reports a gap, unless the log being read is lost too: then a new one begins, with a gap. */
  reportLoss(): Promise<void>
  /** The command connection is available again. */
  resume(): void
  close(): void
} => {
  const { connection, commands, onAnotherLog, onError } = given
  const log = redisLog(given.prefix)
  const tails = new Set<Tail>()
  let isGapPending = false

  const publish = (message: Uint8Array): Promise<boolean> =>
    log.append(commands.client, Buffer.from(message)).then(
      () => true,
      () => false,
    )
  const reportPending = async () => {
    if (!isGapPending) return
    isGapPending = false
    if (!(await publish(GAP))) isGapPending = true
  }

  const reportGap = () => {
    isGapPending = true
    void reportPending()
  }

  return {
    publish,
    reportGap,
    async reportLoss() {
      const begun = await log.begin(commands.client).catch(() => undefined)
      if ([...tails].some((tail) => tail.epoch() === begun)) reportGap()
    },
    async subscribe(reader) {
      const tail = openTail({ connection, log, reader, onAnotherLog, onError })
      tails.add(tail)
      await tail.ready
      return () => {
        tails.delete(tail)
        tail.close()
      }
    },
    fault() {
      const lost = commands.fault()
      if (lost !== undefined) return lost
      for (const tail of tails) if (tail.fault() !== undefined) return tail.fault()
      return undefined
    },
    resume: () => void reportPending(),
    close() {
      for (const tail of tails) tail.close()
      tails.clear()
    },
  }
}
