import type { Ephemeral } from '../ports.ts'
import { type ConnectionOptions, openConnection } from './connection.ts'
import { redisInvalidations } from './invalidations.ts'
import { redisLive } from './live.ts'
import { redisPresence } from './presence.ts'
import { redisRates } from './rates.ts'

type RedisOptions = ConnectionOptions & {
  now: () => number
  /** Prefix of all keys, for several servers on one Redis. */
  prefix?: string
  /** How often a process checks that Redis still has its accounts, in milliseconds. */
  heartbeatMilliseconds?: number
  /** How long an account stays present after its last connection, in milliseconds. */
  graceMilliseconds?: number
  /** Gets the errors of readers of the live log, and of failed reads. */
  onError?: (error: unknown) => void
}

const HEARTBEAT = 1000

/** The ephemeral ports over one Redis, shared by all processes that use it. Reconnects for ever. */
export const redisEphemeral = (options: RedisOptions): Ephemeral => {
  const prefix = options.prefix ?? 'rookery:'
  const commands = openConnection(options, async () => {
    await presence.restore()
    live.resume()
  })
  const { client } = commands
  // Only one connection reports faults, since they mostly coincide. Refusals differ by connection, so each reports its own.
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
