import { setImmediate as turn } from 'node:timers/promises'
import { isAfter, type Position } from '@rookery/ephemeral'
import type { Prepared } from '../channels/frames.ts'
import type { Subscriber } from '../channels/subscriber.ts'
import type { Delivery } from './delivery.ts'

/** After this many milliseconds of sending, it yields to the event loop. */
const SENDING_A_TURN = 4

/** Delivers events to those that are still subscribed. */
export const createDeliver = (isSubscribed: (subscriber: Subscriber) => boolean) => {
  let used = 0
  return async (deliveries: readonly Delivery[], send: (subscriber: Subscriber, event: Prepared) => void): Promise<void> => {
    const sendIfHeard = (subscriber: Subscriber, event: Prepared) => {
      // It may have unsubscribed since the message came.
      if (isSubscribed(subscriber)) send(subscriber, event)
    }
    let begun = performance.now()
    for (const { event, subscribers } of deliveries) {
      for (const subscriber of subscribers) {
        sendIfHeard(subscriber, event)
        if (used + performance.now() - begun < SENDING_A_TURN) continue
        await turn()
        used = 0
        begun = performance.now()
      }
    }
    used += performance.now() - begun
  }
}

/** Sends a live event on a stream: not if it was sent before the stream was resumed, and only after the missed events. */
export const sendLive = ({ connection, channel, after, backlog }: Subscriber, event: Prepared, position: Position): void => {
  if (after && !isAfter(position, after)) return
  if (backlog) backlog.hold(event)
  else connection.send(event, channel.label)
}
