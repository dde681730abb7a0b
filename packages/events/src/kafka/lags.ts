import type { Admin } from 'kafkajs'
import type { Subscription } from '../bus.ts'
import { type KafkaOptions, openKafka } from './client.ts'

type Offsets = { partition: number; offset: string }

/** Messages between what a group committed and the end; one that never committed begins at the oldest that is kept. */
export const lagOf = (ends: readonly (Offsets & { low: string })[], committed: readonly Offsets[]): number => {
  const done = new Map(committed.map(({ partition, offset }) => [partition, BigInt(offset)]))
  const lags = ends.map(({ partition, offset, low }) => {
    const from = done.get(partition) ?? -1n
    return Number(BigInt(offset) - (from < BigInt(low) ? BigInt(low) : from))
  })
  return lags.reduce((sum, lag) => sum + Math.max(0, lag), 0)
}

/** Where topics end, by partition. */
export const readEnds = async (admin: Admin, topics: readonly string[]) =>
  new Map(await Promise.all(topics.map(async (topic) => [topic, await admin.fetchTopicOffsets(topic)] as const)))

/** How far behind the groups of these subscriptions are. @throws KafkaJSError when the brokers do not answer at once */
export const readLags = async (
  options: KafkaOptions,
  subscriptions: readonly Subscription[],
): Promise<{ group: string; lag: number }[]> => {
  if (subscriptions.length === 0) return []
  const admin = openKafka(options, 'none').kafka.admin()
  try {
    await admin.connect()
    const ends = await readEnds(admin, [...new Set(subscriptions.map(({ topic }) => topic))])
    return await Promise.all(
      subscriptions.map(async ({ group, topic }) => {
        const [committed] = await admin.fetchOffsets({ groupId: group, topics: [topic] })
        return { group, lag: lagOf(ends.get(topic) ?? [], committed?.partitions ?? []) }
      }),
    )
  } finally {
    await admin.disconnect().catch(() => {})
  }
}
