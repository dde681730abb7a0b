import type { Admin, Kafka } from 'kafkajs'
import type { Subscription } from '../bus.ts'

/** The committed offsets of a group for a topic, by partition; none if it never handled any of it. */
const readCommitted = async (admin: Admin, groupId: string, topic: string): Promise<{ at: string; offset: bigint }[]> => {
  const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] })
  const partitions = (committed?.partitions ?? []).map(({ partition, offset }) => ({ at: `${topic} ${partition}`, offset: BigInt(offset) }))
  if (partitions.every(({ offset }) => offset < 0n)) return []
  // A partition without an offset was never handled.
  return partitions.map(({ at, offset }) => ({ at, offset: offset < 0n ? 0n : offset }))
}

/**
 * The lowest offset that each partition is read from. Before 2026-11-26 each consumer was a group of its own
 * (docs/decisions/0043-one-group-a-part.md): this is the lowest offset that one of those groups committed, or 0. @throws KafkaJSError when
 * the brokers do not answer
 */
export const readLegacyOffsets = async (
  kafka: Kafka,
  subscriptions: readonly Subscription[],
): Promise<(topic: string, partition: number) => bigint> => {
  const handled = new Map<string, bigint>()
  const admin = kafka.admin()
  try {
    await admin.connect()
    // Brokers list only the groups that this process may read. Reading another one fails like unreachable brokers.
    const groups = new Set((await admin.listGroups()).groups.map(({ groupId }) => groupId))
    for (const { consumer, topic } of subscriptions.filter((subscription) => groups.has(subscription.consumer)))
      for (const { at, offset } of await readCommitted(admin, consumer, topic))
        if (offset < (handled.get(at) ?? offset + 1n)) handled.set(at, offset)
  } finally {
    await admin.disconnect().catch(() => {})
  }
  return (topic, partition) => handled.get(`${topic} ${partition}`) ?? 0n
}
