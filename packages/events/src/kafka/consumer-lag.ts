import kafkajs, { type Admin } from 'kafkajs'
import { type KafkaOptions, openKafka } from './client.ts'
import { lagOf, readEnds } from './lags.ts'

/** The lag of consumer groups: the end offsets of their topics, as one comparable text, and the groups that are behind. */
export type ConsumerLag = { readonly ends: string; readonly behind: readonly { group: string; lag: number }[] }

const { MemberMetadata } = kafkajs.AssignerProtocol

const committedTopics = async (admin: Admin, groupId: string): Promise<string[]> => {
  const topics = await admin.fetchOffsets({ groupId })
  return topics.filter(({ partitions }) => partitions.some(({ offset }) => Number(offset) >= 0)).map(({ topic }) => topic)
}

/** The topics of each group: those its live members subscribe to, and those it has committed offsets for. */
const topicsOfGroups = async (admin: Admin, groupIds: readonly string[]): Promise<Map<string, Set<string>>> => {
  if (groupIds.length === 0) return new Map()
  const { groups } = await admin.describeGroups([...groupIds])
  const subscribed = new Map(
    groups.map(({ groupId, members }) => [
      groupId,
      members.flatMap((member) => MemberMetadata.decode(member.memberMetadata)?.topics ?? []),
    ]),
  )
  const topics = new Map<string, Set<string>>()
  for (const groupId of groupIds)
    topics.set(groupId, new Set([...(subscribed.get(groupId) ?? []), ...(await committedTopics(admin, groupId))]))
  return topics
}

/**
 * The lag of the consumer groups of some services. Groups and topics are named after their service, e.g. statuses-fan-out and statuses.v1.
 * @throws KafkaJSError when the brokers do not answer
 */
export const readConsumerLag = async (options: KafkaOptions, services: readonly string[]): Promise<ConsumerLag> => {
  const admin = openKafka(options, 'aWhile').kafka.admin()
  try {
    await admin.connect()
    const known = new Set(await admin.listTopics())
    const topics = services.map((service) => `${service}.v1`).filter((topic) => known.has(topic))
    const ends = await readEnds(admin, topics)
    const all = (await admin.listGroups()).groups.map(({ groupId }) => groupId)
    const groups = all.filter((groupId) => services.some((service) => groupId.startsWith(`${service}-`)))
    const behind: { group: string; lag: number }[] = []
    for (const [groupId, read] of await topicsOfGroups(admin, groups)) {
      const wanted = topics.filter((topic) => read.has(topic))
      if (wanted.length === 0) continue
      const committed = await admin.fetchOffsets({ groupId, topics: wanted })
      const lag = committed.reduce((sum, { topic, partitions }) => sum + lagOf(ends.get(topic) ?? [], partitions), 0)
      if (lag > 0) behind.push({ group: groupId, lag })
    }
    const sorted = [...ends].map(([topic, offsets]) => [topic, offsets.map(({ partition, offset }) => `${partition}:${offset}`).sort()])
    return { ends: JSON.stringify(sorted), behind }
  } finally {
    await admin.disconnect().catch(() => {})
  }
}
