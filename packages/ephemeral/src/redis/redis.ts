import type { Ephemeral } from '../ports.ts'
import { type ConnectionOptions, openConnection } from './connection.ts'
import { redisLive } from './live.ts'
import { redisPresence } from './presence.ts'
import { redisRates } from './rates.ts'

export type RedisOptions = ConnectionOptions & {
  now: () => number
  /** In front of every name, for several servers on one Redis. */
  prefix?: string
  /** How often a process says that it is still there, in milliseconds; it is forgotten after ten times that. */
  heartbeatMilliseconds?: number
  /** Called for readers of the live channel that threw. */
  onError?: (error: unknown) => void
}

const HEARTBEAT = 1000

/** The ephemeral ports over one Redis, shared by all processes that name it. A Redis that went away is sought forever. */
export const redisEphemeral = (options: RedisOptions): Ephemeral => {
  const prefix = options.prefix ?? 'rookery:'
  const commands = openConnection(options, async () => {
    await presence.publishLive()
    live.resume()
  })
  const { client } = commands
  // One of the two connections reports faults: they are mostly the same.
  const { onFault: _, ...connection } = options
  const live = redisLive({ connection, commands, channel: `${prefix}live`, onError: options.onError ?? (() => {}) })
  const heartbeatMilliseconds = options.heartbeatMilliseconds ?? HEARTBEAT
  const presence = redisPresence({ client, prefix, now: options.now, heartbeatMilliseconds, onLost: live.gap })
  const rates = redisRates({ connection: commands, prefix, now: options.now })
  return {
    live,
    presence,
    rates,
    async close() {
      live.close()
      rates.close()
      await presence.close()
      commands.close()
    },
  }
}
