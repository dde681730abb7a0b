import { every } from '@rookery/handles'
import type { EachBatchPayload, KafkaMessage } from 'kafkajs'
import type { Subscription } from '../bus.ts'
import { HEARTBEAT, type KafkaOptions } from './client.ts'
import { type Lane, MAX_TOGETHER, openLane } from './lane.ts'
import type { Offsets } from './offsets.ts'

const slicesOf = (messages: readonly KafkaMessage[]) =>
  Array.from({ length: Math.ceil(messages.length / MAX_TOGETHER) }, (_, index) =>
    messages.slice(index * MAX_TOGETHER, (index + 1) * MAX_TOGETHER),
  )

const opened = (messages: readonly KafkaMessage[]) =>
  messages.map(({ key, value }) => ({ key: key?.toString() ?? '', envelope: value ?? Buffer.alloc(0) }))

/** Waits until each lane has room, and sends heartbeats meanwhile. @throws the error of a heartbeat: the membership may be lost */
const waitForRoom = async (lanes: readonly Lane[], heartbeat: () => Promise<void>) => {
  const haveRoom = () => lanes.every((lane) => lane.hasRoom())
  if (haveRoom()) return
  const lost = Promise.withResolvers<never>()
  const beating = every(HEARTBEAT, heartbeat, { onError: lost.reject })
  try {
    // Another partition's batch may have filled a lane meanwhile.
    while (!haveRoom()) await Promise.race([Promise.all(lanes.map((lane) => lane.room())), lost.promise])
  } finally {
    beating.stop()
  }
}

/** Distributes the batches that a group member receives. */
export type Dispatcher = {
  take(payload: EachBatchPayload): Promise<void>
  /** Partitions may have been reassigned: messages not handled yet are delivered again to their new owner. */
  forget(): void
  /** Resolves when the messages being handled are done. */
  close(): Promise<void>
}

/** Passes messages to the subscriptions of their topic, in order, and records the offsets that every subscription has handled. */
export const createDispatcher = (
  subscriptions: readonly Subscription[],
  given: { options: KafkaOptions; offsets: Offsets },
): Dispatcher => {
  const { options, offsets } = given
  const onError = (error: unknown, consumer: string) => options.onError?.(error, consumer)
  const lanes = subscriptions.map((subscription) => ({ topic: subscription.topic, lane: openLane(subscription, onError) }))
  const ofTopic = Map.groupBy(lanes, ({ topic }) => topic)
  const underWay = new Set<Promise<void>>()
  let timesForgotten = 0
  let isClosed = false

  const give = async (to: readonly Lane[], slice: readonly KafkaMessage[], of: { topic: string; partition: number }) => {
    const messages = opened(slice)
    const isHandled = await Promise.all(to.map((lane) => lane.give(messages)))
    if (isHandled.every(Boolean)) offsets.note(of, (BigInt(slice.at(-1)!.offset) + 1n).toString())
  }
  return {
    async take({ batch, heartbeat, resolveOffset }) {
      const before = timesForgotten
      const own = (ofTopic.get(batch.topic) ?? []).map(({ lane }) => lane)
      for (const slice of slicesOf(batch.messages)) {
        await waitForRoom(own, heartbeat)
        if (isClosed || timesForgotten !== before) return
        const giving = give(own, slice, batch).finally(() => underWay.delete(giving))
        underWay.add(giving)
        resolveOffset(slice.at(-1)!.offset)
      }
    },
    forget() {
      timesForgotten++
      offsets.forget()
      for (const { lane } of lanes) lane.forget()
    },
    async close() {
      isClosed = true
      for (const { lane } of lanes) lane.close()
      await Promise.all(underWay)
    },
  }
}
