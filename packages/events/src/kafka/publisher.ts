import kafkajs from 'kafkajs'
import type { Message } from '../bus.ts'
import { bounded, disconnectOrCut } from './bounded.ts'
import { type KafkaOptions, openKafka, PUBLISH_MILLISECONDS, TIMEOUT } from './client.ts'

type Publisher = { publish(topic: string, messages: readonly Message[]): Promise<void>; close(): Promise<void> }

/** acks=all: every in-sync replica has the message before it is acknowledged. */
const ALL_COPIES = -1

/**
 * Publishes idempotently: retries within a call write a message once. After a failed call the producer is replaced, because the broker
 * would take its next batch for the lost one and drop it.
 */
export const createPublisher = (options: KafkaOptions): Publisher => {
  const milliseconds = options.publishMilliseconds ?? PUBLISH_MILLISECONDS
  let current: ReturnType<typeof open> | undefined

  const open = () => {
    const { kafka, close } = openKafka(options, 'aWhile')
    const createPartitioner = kafkajs.Partitioners.DefaultPartitioner
    const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1, createPartitioner, retry: TIMEOUT.aWhile })
    return { producer, connected: producer.connect(), close }
  }
  const send = async ({ producer, connected }: ReturnType<typeof open>, topic: string, messages: readonly Message[]) => {
    await connected
    const records = messages.map(({ key, envelope }) => ({ key, value: Buffer.from(envelope) }))
    await producer.send({ topic, acks: ALL_COPIES, messages: records })
  }

  return {
    async publish(topic, messages) {
      current ??= open()
      const used = current
      try {
        await bounded(send(used, topic, messages), milliseconds)
      } catch (error) {
        current = undefined
        // It would keep retrying, and write messages that the next producer writes too.
        used.close('the publisher was thrown away')
        throw error
      }
    },
    async close() {
      const last = current
      current = undefined
      if (!last) return
      await disconnectOrCut(
        last.connected.then(() => last.producer.disconnect()),
        last.close,
      )
    },
  }
}
