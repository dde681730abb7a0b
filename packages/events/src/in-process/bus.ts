import type { Bus, Message, Subscription } from '../bus.ts'

/**
 * The bus within one process. It stores nothing: publish resolves when every subscription has handled the messages, and throws when one
 * could not, so the outbox row stays until then and survives a kill. Consumers that had already handled them recognise them by their ids.
 */
export const inProcessBus = (): Bus => {
  const groups = new Set<string>()
  const byTopic = new Map<string, { subscription: Subscription; last: Promise<void> }[]>()
  return {
    async publish(topic: string, messages: readonly Message[]) {
      const handled = (byTopic.get(topic) ?? []).map((subscribed) => {
        // Each subscription handles one batch after the other, so that keys keep their order across publishers.
        const turn = subscribed.last.then(() => subscribed.subscription.handle(messages))
        subscribed.last = turn.catch(() => {})
        return turn
      })
      const failed = (await Promise.allSettled(handled)).find((result) => result.status === 'rejected')
      if (failed) throw failed.reason
    },
    async subscribe(group, subscriptions) {
      groups.add(group)
      for (const subscription of subscriptions) {
        const list = byTopic.get(subscription.topic) ?? []
        list.push({ subscription, last: Promise.resolve() })
        byTopic.set(subscription.topic, list)
      }
    },
    fault: () => undefined,
    // Unhandled events are still in the outbox.
    lags: async () => [...groups].map((group) => ({ group, lag: 0 })),
    close: async () => {
      await Promise.all([...byTopic.values()].flat().map((subscribed) => subscribed.last))
      byTopic.clear()
      groups.clear()
    },
  }
}
