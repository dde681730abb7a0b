import type { Bus, Subscription } from './bus.ts'

/** A bus whose subscriptions' handlers are wrapped by `wrap`. */
export const wrapHandlers = (bus: Bus, wrap: (subscription: Subscription) => Subscription['handle']): Bus => ({
  ...bus,
  subscribe: (group, subscriptions) =>
    bus.subscribe(
      group,
      subscriptions.map((subscription) => ({ ...subscription, handle: wrap(subscription) })),
    ),
})
