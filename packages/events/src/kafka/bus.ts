import type { Bus } from '../bus.ts'
import type { KafkaOptions } from './client.ts'
import { type Group, joinGroup } from './group.ts'
import { readLags } from './lags.ts'
import { startProbe } from './probe.ts'
import { createPublisher } from './publisher.ts'
import { topicMaker } from './topics.ts'

export { type ConsumerLag, readConsumerLag } from './consumer-lag.ts'
export type { KafkaOptions }

/**
 * The bus over Kafka. Missing topics are created; publish resolves when all in-sync replicas have the messages; a group commits the offsets
 * of handled messages, so that unhandled ones are delivered again. Reconnects for ever; meanwhile `fault` gives the reason.
 */
export const kafkaBus = (options: KafkaOptions): Bus => {
  const publisher = createPublisher(options)
  const makeTopic = topicMaker(options)
  const groups: Group[] = []
  const onReturn = () => {
    for (const group of groups) group.renew()
  }
  const probe = startProbe(options, { onReturn })
  return {
    async publish(topic, messages) {
      await makeTopic(topic)
      await publisher.publish(topic, messages)
    },
    async subscribe(name, subscriptions) {
      const group = joinGroup(name, { subscriptions, makeTopic, options })
      groups.push(group)
      await group.joined
    },
    fault: () => probe.fault() ?? groups.map((group) => group.fault()).find((fault) => fault !== undefined),
    lags: () => readLags(options, groups),
    close: async () => {
      await Promise.all(groups.map((group) => group.close()))
      await Promise.all([publisher.close(), probe.close()])
    },
  }
}
