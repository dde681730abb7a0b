import type { Redis } from 'ioredis'
import type { LiveChannel } from '../ports.ts'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'

/** The live channel over Redis pub/sub. It listens on a connection of its own, opened when somebody subscribes. */
export const redisLive = (given: {
  connection: ConnectionOptions
  commands: Connection
  channel: string
  onError: (error: unknown) => void
}): LiveChannel & { close(): void } => {
  const readers = new Set<(message: Uint8Array) => void>()
  let listening: Connection | undefined
  let isListening = false

  const deliver = (_channel: Buffer, message: Buffer) => {
    for (const read of readers) {
      try {
        read(message)
      } catch (error) {
        given.onError(error)
      }
    }
  }
  const listen = async (client: Redis) => {
    try {
      await client.subscribe(given.channel)
      isListening = true
    } catch (error) {
      given.onError(error)
      // Made anew, it is ready again and listens again.
      client.disconnect(true)
    }
  }
  const open = () => {
    const connection = openConnection(given.connection, listen)
    connection.client.on('messageBuffer', deliver)
    connection.client.on('close', () => {
      isListening = false
    })
    return connection
  }

  return {
    publish(message) {
      given.commands.client.publish(given.channel, Buffer.from(message)).catch(() => {})
    },
    async subscribe(read) {
      listening ??= open()
      readers.add(read)
      await listening.settled
      return () => void readers.delete(read)
    },
    fault() {
      const lost = given.commands.fault() ?? listening?.fault()
      return lost ?? (listening && !isListening ? 'the live channel is not subscribed yet' : undefined)
    },
    close: () => listening?.close(),
  }
}
