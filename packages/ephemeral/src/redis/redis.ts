import type { Ephemeral } from '../ports.ts'
import { type ConnectionOptions, openConnection } from './connection.ts'
import { redisInvalidations } from './invalidations.ts'
import { redisLive } from './live.ts'
import { redisPresence } from './presence.ts'
import { redisRates } from './rates.ts'

type RedisOptions = ConnectionOptions & {
  now: () => number
  /** In front of every name, for several servers on one Redis. */
  prefix?: string
  /** How often a process looks whether Redis still has its accounts, in milliseconds. */
  heartbeatMilliseconds?: number
  /** How long an account stays after its last connection, in milliseconds. */
  graceMilliseconds?: number
  /** Called for readers of the live log that threw, and for readings that failed. */
  onError?: (error: unknown) => void
}

const HEARTBEAT = 1000

/** The ephemeral ports over one Redis, shared by all processes that name it. A lost Redis is reconnected for ever. */
export const redisEphemeral = (options: RedisOptions): Ephemeral => {
  const prefix = options.prefix ?? 'rookery:'
  const commands = openConnection(options, async () => {
    await presence.restore()
    live.resume()
  })
  const { client } = commands
  // One of the connections reports faults: they are mostly the same. What Redis refuses is each one's own.
  const { onFault, ...others } = options
  const connection = { ...others, ...(onFault && { onRefused: onFault }) }
  const onAnotherLog = () => presence.restore()
  const live = redisLive({ connection, commands, prefix, onAnotherLog, onError: options.onError ?? (() => {}) })
  const heartbeatMilliseconds = options.heartbeatMilliseconds ?? HEARTBEAT
  const { now, graceMilliseconds } = options
  const presence = redisPresence({
    ...{ client, prefix, now, heartbeatMilliseconds },
    ...(graceMilliseconds !== undefined && { graceMilliseconds }),
    onLost: () => void live.reportLoss(),
  })
  const rates = redisRates({ connection: commands, prefix, now: options.now })
  const invalidations = redisInvalidations({ connection, commands, prefix })
  return {
    live,
    presence,
    rates,
    invalidations,
    async close() {
      live.close()
      invalidations.close()
      rates.close()
      await presence.close()
      commands.close()
    },
  }
}
