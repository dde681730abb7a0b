import kafkajs, { type Producer } from 'kafkajs'
import type { Message } from '../bus.ts'
import { type KafkaOptions, openKafka, PATIENCE } from './client.ts'

export type Publisher = { publish(topic: string, messages: readonly Message[]): Promise<void>; close(): Promise<void> }

/** Written by every copy that is in step before it counts. */
const ALL_COPIES = -1

/**
 * Publishes idempotently: what is sent again within a call is written once. After a call that failed the producer is thrown away, because
 * the broker would take the next one's first batch for the lost one and drop it.
 */
export const createPublisher = (options: KafkaOptions): Publisher => {
  const kafka = openKafka(options, 'aWhile')
  let current: Promise<Producer> | undefined

  const open = async () => {
    const createPartitioner = kafkajs.Partitioners.DefaultPartitioner
    const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1, createPartitioner, retry: PATIENCE.aWhile })
    await producer.connect()
    return producer
  }
  const discard = async () => {
    const broken = current
    current = undefined
    await broken?.then((producer) => producer.disconnect()).catch(() => {})
  }

  return {
    async publish(topic, messages) {
      current ??= open()
      try {
        const producer = await current
        const records = messages.map(({ key, envelope }) => ({ key, value: Buffer.from(envelope) }))
        await producer.send({ topic, acks: ALL_COPIES, messages: records })
      } catch (error) {
        void discard()
        throw error
      }
    },
    close: discard,
  }
}
