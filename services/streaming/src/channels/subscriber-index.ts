import { keysOf } from './names.ts'
import type { Subscriber } from './subscriber.ts'

const NONE: ReadonlySet<Subscriber> = new Set()

/** An index of subscribers by the keys of their streams. */
export const createSubscriberIndex = () => {
  const subscribers = new Map<string, Set<Subscriber>>()
  return {
    add(subscriber: Subscriber) {
      for (const key of keysOf(subscriber.channel)) {
        const together = subscribers.get(key)
        if (together) together.add(subscriber)
        else subscribers.set(key, new Set([subscriber]))
      }
    },
    remove(subscriber: Subscriber) {
      for (const key of keysOf(subscriber.channel)) {
        const together = subscribers.get(key)
        together?.delete(subscriber)
        if (together?.size === 0) subscribers.delete(key)
      }
    },
    subscribersTo: (key: string): ReadonlySet<Subscriber> => subscribers.get(key) ?? NONE,
  }
}
