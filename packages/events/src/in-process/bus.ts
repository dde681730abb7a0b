import type { Bus, Message, Subscription } from '../bus.ts'

/**
 * The bus of one process. It keeps nothing: publish resolves when every group has handled the messages, and throws when one could not, so
 * the outbox row stays until then and outlives a kill. Groups that had handled them know them again by their ids.
 */
export const inProcessBus = (): Bus => {
  const groups = new Map<string, { subscription: Subscription; last: Promise<void> }[]>()
  return {
    async publish(topic: string, messages: readonly Message[]) {
      const handled = (groups.get(topic) ?? []).map((group) => {
        // Each group takes one batch after the other, so that keys keep their order no matter who publishes.
        const turn = group.last.then(() => group.subscription.handle(messages))
        group.last = turn.catch(() => {})
        return turn
      })
      const failed = (await Promise.allSettled(handled)).find((result) => result.status === 'rejected')
      if (failed) throw failed.reason
    },
    async subscribe(subscription) {
      const list = groups.get(subscription.topic) ?? []
      list.push({ subscription, last: Promise.resolve() })
      groups.set(subscription.topic, list)
    },
    fault: () => undefined,
    // What is not handled yet is still in the outbox.
    lags: async () => [...groups.values()].flat().map(({ subscription: { group } }) => ({ group, lag: 0 })),
    close: async () => {
      await Promise.all([...groups.values()].flat().map((group) => group.last))
      groups.clear()
    },
  }
}
