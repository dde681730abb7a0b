import type { Admin, Kafka } from 'kafkajs'
import type { Subscription } from '../bus.ts'

/** How far each partition of a topic was handled by a group that there is; nothing where it never handled any. */
const readHandled = async (admin: Admin, groupId: string, topic: string): Promise<{ at: string; offset: bigint }[]> => {
  const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] })
  const partitions = (committed?.partitions ?? []).map(({ partition, offset }) => ({ at: `${topic} ${partition}`, offset: BigInt(offset) }))
  if (partitions.every(({ offset }) => offset < 0n)) return []
  // Of a partition of which it has committed nothing it has missed everything.
  return partitions.map(({ at, offset }) => ({ at, offset: offset < 0n ? 0n : offset }))
}

/**
 * Up to where consumers have handled their topics that were groups by themselves, by topic and partition: as far as the one furthest behind, 0 where
 * none was. Each consumer was one before 2026-11-26 (docs/decisions/0043-one-group-a-part.md). @throws KafkaJSError when the brokers do not answer
 */
export const readHandledApart = async (
  kafka: Kafka,
  subscriptions: readonly Subscription[],
): Promise<(topic: string, partition: number) => bigint> => {
  const handled = new Map<string, bigint>()
  const admin = kafka.admin()
  try {
    await admin.connect()
    // Those there are, of those that this process may know of: to ask for another one's offsets fails as brokers do that are away.
    const groups = new Set((await admin.listGroups()).groups.map(({ groupId }) => groupId))
    for (const { consumer, topic } of subscriptions.filter((subscription) => groups.has(subscription.consumer)))
      for (const { at, offset } of await readHandled(admin, consumer, topic))
        if (offset < (handled.get(at) ?? offset + 1n)) handled.set(at, offset)
  } finally {
    await admin.disconnect().catch(() => {})
  }
  return (topic, partition) => handled.get(`${topic} ${partition}`) ?? 0n
}
