import type { Admin } from 'kafkajs'
import { type KafkaOptions, openKafka } from './client.ts'

type Offsets = { partition: number; offset: string }

/** The messages between the committed offsets and the end; a group that never committed starts at the oldest message. */
export const lagOf = (ends: readonly (Offsets & { low: string })[], committed: readonly Offsets[]): number => {
  const done = new Map(committed.map(({ partition, offset }) => [partition, BigInt(offset)]))
  const lags = ends.map(({ partition, offset, low }) => {
    const from = done.get(partition) ?? -1n
    return Number(BigInt(offset) - (from < BigInt(low) ? BigInt(low) : from))
  })
  return lags.reduce((sum, lag) => sum + Math.max(0, lag), 0)
}

/** The end offsets of topics, by partition. */
export const readEnds = async (admin: Admin, topics: readonly string[]) =>
  new Map(await Promise.all(topics.map(async (topic) => [topic, await admin.fetchTopicOffsets(topic)] as const)))

/** The lag of groups, in all of their topics together. @throws KafkaJSError when the brokers do not answer at once */
export const readLags = async (
  options: KafkaOptions,
  groups: readonly { name: string; topics: readonly string[] }[],
): Promise<{ group: string; lag: number }[]> => {
  if (groups.length === 0) return []
  const admin = openKafka(options, 'none').kafka.admin()
  try {
    await admin.connect()
    const ends = await readEnds(admin, [...new Set(groups.flatMap(({ topics }) => topics))])
    return await Promise.all(
      groups.map(async ({ name, topics }) => {
        const committed = await admin.fetchOffsets({ groupId: name, topics: [...topics] })
        const lag = committed.reduce((sum, { topic, partitions }) => sum + lagOf(ends.get(topic) ?? [], partitions), 0)
        return { group: name, lag }
      }),
    )
  } finally {
    await admin.disconnect().catch(() => {})
  }
}
