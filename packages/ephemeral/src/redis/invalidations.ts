import type { Invalidations } from '../ports.ts'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'
import { inTime } from './in-time.ts'

/** How long the publisher waits for Redis. */
const TIMEOUT_MILLISECONDS = 250

/** Follows a channel on a connection of its own. */
const openWatch = (options: ConnectionOptions, channel: string) => {
  let stamp = 0
  let isSubscribed = false
  const connection = openConnection(options, async (client) => {
    await client.subscribe(channel)
    // What was published before is not known.
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

/** Invalidations over channels of Redis. A process that is not connected misses what is published meanwhile, so it has no stamp then. */
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
      await inTime(commands.client.publish(channelOf(topic), ''), TIMEOUT_MILLISECONDS)
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
