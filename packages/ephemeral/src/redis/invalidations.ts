import type { Invalidations } from '../ports.ts'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'
import { withTimeout } from './with-timeout.ts'

/** How long a publisher waits for Redis. */
const TIMEOUT_MILLISECONDS = 250

/** Subscribes to a channel on a connection of its own. */
const openWatch = (options: ConnectionOptions, channel: string) => {
  let stamp = 0
  let isSubscribed = false
  const connection = openConnection(options, async (client) => {
    await client.subscribe(channel)
    // Messages before the subscription were missed.
    stamp++
    isSubscribed = true
  })
  const lose = () => {
    isSubscribed = false
  }
  connection.client.on('message', () => {
    stamp++
  })
  connection.client.on('close', lose)
  return {
    stamp: () => (isSubscribed ? stamp : undefined),
    close() {
      lose()
      connection.close()
    },
  }
}

/**
 * Invalidations over Redis channels. A process that is disconnected misses what is published meanwhile, so it has no stamp until it is
 * connected again.
 */
export const redisInvalidations = (given: {
  connection: ConnectionOptions
  commands: Connection
  prefix: string
}): Invalidations & { close(): void } => {
  const { connection, commands, prefix } = given
  const watches = new Set<ReturnType<typeof openWatch>>()
  const channelOf = (topic: string) => `${prefix}invalidated:${topic}`
  return {
    async publish(topic) {
      if (commands.fault() !== undefined) return
      await withTimeout(commands.client.publish(channelOf(topic), ''), TIMEOUT_MILLISECONDS)
    },
    watch(topic) {
      const watch = openWatch(connection, channelOf(topic))
      watches.add(watch)
      return watch.stamp
    },
    close() {
      for (const watch of watches) watch.close()
      watches.clear()
    },
  }
}
