import { pushSubscriptionEntity } from '@rookery/entities'
import { Failure, orNotFound } from '@rookery/failures'
import { User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { decode, flag, form, hash, text } from '../http/fields.ts'

/** Alerts and policy; clients send the policy inside the data or beside it (beyond-the-spec 1.8). */
const preferences = { data: hash(), policy: text() }

/** The alerts that a client wants. Any notification type is a valid name; omitted ones are off. */
const preferencesOf = ({ data = {}, policy }: { data?: Record<string, unknown> | undefined; policy?: string | undefined }) => {
  const wanted = decode(form({ alerts: hash(), policy: text() }), data)
  const names = Object.keys(wanted.alerts ?? {})
  const alerts = decode(form(Object.fromEntries(names.map((name) => [name, flag()]))), wanted.alerts ?? {})
  return {
    alerts: Object.fromEntries(names.map((name) => [name, alerts[name] ?? false])),
    policy: wanted.policy ?? policy ?? '',
  }
}

export const subscribeToPush = endpoint({
  method: 'POST',
  path: '/api/v1/push/subscription',
  access: User('push'),
  summary: 'Has a device alerted of notifications, in place of what its token subscribed to before.',
  input: form({ subscription: hash(), ...preferences }),
  handle: async ({ call, input, holder, token }, { push }) => {
    if (!input.subscription) throw new Failure('malformed', 'param is missing or the value is empty: subscription')
    const subscription = decode(form({ endpoint: text(), keys: hash(), standard: flag() }), input.subscription)
    const keys = decode(form({ p256dh: text(), auth: text() }), subscription.keys ?? {})
    const { accountId, tokenId } = orNotFound(holder)
    return pushSubscriptionEntity(
      await push.subscribe(call, {
        accountId,
        tokenId,
        accessToken: token,
        endpoint: subscription.endpoint ?? '',
        p256dh: keys.p256dh ?? '',
        auth: keys.auth ?? '',
        standard: subscription.standard ?? false,
        ...preferencesOf(input),
      }),
    )
  },
})

export const readPushSubscription = endpoint({
  method: 'GET',
  path: '/api/v1/push/subscription',
  access: User('push'),
  summary: 'What the token subscribed to.',
  handle: async ({ call, holder }, { push }) => pushSubscriptionEntity(await push.read(call, { tokenId: orNotFound(holder).tokenId })),
})

export const updatePushSubscription = endpoint({
  method: 'PUT',
  path: '/api/v1/push/subscription',
  access: User('push'),
  summary: 'Changes what the device is alerted of.',
  input: form(preferences),
  handle: async ({ call, input, holder }, { push }) =>
    pushSubscriptionEntity(await push.update(call, { tokenId: orNotFound(holder).tokenId, ...preferencesOf(input) })),
})

export const unsubscribeFromPush = endpoint({
  method: 'DELETE',
  path: '/api/v1/push/subscription',
  access: User('push'),
  summary: 'Ends the alerts of the device.',
  handle: async ({ call, holder }, { push }) => {
    await push.unsubscribe(call, { tokenId: orNotFound(holder).tokenId })
    return {}
  },
})
