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
 * The bus over Kafka. Topics are made when they are missing; publish resolves when every copy in step has the messages; a group commits
 * what it handled, so that what it did not comes again. Lost brokers are sought forever; `fault` reports them meanwhile.
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
