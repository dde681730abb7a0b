import type { Redis } from 'ioredis'
import type { LiveChannel } from '../ports.ts'
import { createReaders } from '../readers.ts'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'

/** Says that messages before it may be missing. No live message is empty. */
const GAP = Buffer.alloc(0)

/**
 * The live channel over Redis pub/sub. It listens on a connection of its own, opened by the first subscription. Pub/sub keeps nothing: when
 * that connection is lost, everything that is published until it listens again is missing.
 */
export const redisLive = (given: {
  connection: ConnectionOptions
  commands: Connection
  channel: string
  onError: (error: unknown) => void
}): LiveChannel & {
  /** The readers of this process may have missed messages. */
  gap(): void
  /** The connection for commands serves again. */
  resume(): void
  close(): void
} => {
  const { client } = given.commands
  const readers = createReaders(given.onError)
  let listening: Connection | undefined
  let isListening = false
  let isGapPending = false

  const publish = (message: Uint8Array): Promise<boolean> =>
    client.publish(given.channel, Buffer.from(message)).then(
      () => true,
      () => false,
    )
  const reportPending = async () => {
    if (!isGapPending) return
    isGapPending = false
    if (!(await publish(GAP))) isGapPending = true
  }
  const deliver = (_channel: Buffer, message: Buffer) => (message.length === 0 ? readers.gap() : readers.deliver(message))

  const listen = async (subscriber: Redis) => {
    try {
      await subscriber.subscribe(given.channel)
      isListening = true
    } catch (error) {
      given.onError(error)
      // The next connection listens again.
      subscriber.disconnect(true)
    }
  }
  const open = () => {
    const connection = openConnection(given.connection, listen)
    connection.client.on('messageBuffer', deliver)
    connection.client.on('close', () => {
      if (isListening) readers.gap()
      isListening = false
    })
    return connection
  }

  return {
    publish,
    reportGap() {
      isGapPending = true
      void reportPending()
    },
    async subscribe(read, onGap) {
      listening ??= open()
      const end = readers.add(read, onGap)
      await listening.ready
      return end
    },
    fault() {
      const lost = given.commands.fault() ?? listening?.fault()
      return lost ?? (listening && !isListening ? 'the live channel is not subscribed yet' : undefined)
    },
    gap: readers.gap,
    resume: () => void reportPending(),
    close() {
      isListening = false
      listening?.close()
    },
  }
}
