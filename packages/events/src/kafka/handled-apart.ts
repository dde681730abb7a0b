import type { Kafka } from 'kafkajs'
import type { Subscription } from '../bus.ts'

/**
 * Up to where consumers have handled their topics that were groups by themselves, by topic and partition: 0 where none was.
 * Each consumer was one before 2026-11-26 (docs/decisions/0043-one-group-a-part.md). @throws KafkaJSError when the brokers do not answer
 */
export const readHandledApart = async (
  kafka: Kafka,
  group: string,
  subscriptions: readonly Subscription[],
): Promise<(topic: string, partition: number) => bigint> => {
  const handled = new Map<string, bigint>()
  const note = (at: string, offset: bigint) => {
    const lowest = handled.get(at)
    // What one of them has not handled is given to all; those that had know it again.
    if (lowest === undefined || offset < lowest) handled.set(at, offset)
  }
  const admin = kafka.admin()
  try {
    await admin.connect()
    for (const { consumer, topic } of subscriptions) {
      if (consumer === group) continue
      const [committed] = await admin.fetchOffsets({ groupId: consumer, topics: [topic] })
      const partitions = (committed?.partitions ?? []).map(({ partition, offset }) => ({ partition, offset: BigInt(offset) }))
      // One that never was a group has missed nothing; one that was, and has committed nothing of a partition, all of it.
      if (partitions.every(({ offset }) => offset < 0n)) continue
      for (const { partition, offset } of partitions) note(`${topic} ${partition}`, offset < 0n ? 0n : offset)
    }
  } finally {
    await admin.disconnect().catch(() => {})
  }
  return (topic, partition) => handled.get(`${topic} ${partition}`) ?? 0n
}
