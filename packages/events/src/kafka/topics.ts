import { bounded } from './bounded.ts'
import { type KafkaOptions, openKafka, PUBLISH_MILLISECONDS } from './client.ts'

const PARTITIONS = 12
/** The default of the brokers (KIP-464). */
const DEFAULT_REPLICAS = -1

/** Creates missing topics, each once in this process. @throws KafkaJSError when the brokers are unreachable */
export const topicMaker = (options: KafkaOptions): ((topic: string) => Promise<void>) => {
  const { kafka, dropConnections } = openKafka(options, 'aWhile')
  const made = new Map<string, Promise<void>>()
  const make = async (topic: string) => {
    const admin = kafka.admin()
    try {
      await admin.connect()
      const numPartitions = options.partitions ?? PARTITIONS
      await admin.createTopics({ topics: [{ topic, numPartitions, replicationFactor: options.replicas ?? DEFAULT_REPLICAS }] })
    } finally {
      await admin.disconnect()
    }
  }
  return (topic) => {
    const known = made.get(topic)
    if (known) return known
    const making = bounded(make(topic), options.publishMilliseconds ?? PUBLISH_MILLISECONDS, dropConnections)
    made.set(topic, making)
    making.catch(() => made.delete(topic))
    return making
  }
}
