import type { PushSubscription } from '@rookery/contracts/notifications'

/** WebPushSubscription (spec, Entities; beyond-the-spec 1.1). Its id is an integer. */
export const pushSubscriptionEntity = ({ id, endpoint, standard, alerts, policy, serverKey }: PushSubscription) => ({
  id,
  endpoint,
  standard,
  alerts,
  policy,
  server_key: serverKey,
})
