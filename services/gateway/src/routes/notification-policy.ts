import { notificationPolicyEntity, notificationPolicyV1Entity } from '@rookery/entities'
import { User } from '../http/access.ts'
import { endpoint, type Method } from '../http/endpoint.ts'
import { flag, form, text } from '../http/fields.ts'

const PATH = '/api/v2/notifications/policy'
const PATH_V1 = '/api/v1/notifications/policy'

export const readNotificationPolicy = endpoint({
  method: 'GET',
  path: PATH,
  access: User('read:notifications'),
  summary: 'What becomes of notifications by their senders.',
  handle: async ({ call, viewerId }, { policies }) => notificationPolicyEntity(await policies.read(call, { viewerId })),
})

const update = (method: Method) =>
  endpoint({
    method,
    path: PATH,
    access: User('write:notifications'),
    summary: 'Changes what becomes of notifications: accept, filter or drop.',
    input: form({
      for_not_following: text(),
      for_not_followers: text(),
      for_new_accounts: text(),
      for_private_mentions: text(),
      for_limited_accounts: text(),
    }),
    handle: async ({ call, input, viewerId }, { policies }) =>
      notificationPolicyEntity(
        await policies.update(call, {
          viewerId,
          forNotFollowing: input.for_not_following,
          forNotFollowers: input.for_not_followers,
          forNewAccounts: input.for_new_accounts,
          forPrivateMentions: input.for_private_mentions,
          forLimitedAccounts: input.for_limited_accounts,
        }),
      ),
  })

export const patchNotificationPolicy = update('PATCH')
export const putNotificationPolicy = update('PUT')

export const readNotificationPolicyV1 = endpoint({
  method: 'GET',
  path: PATH_V1,
  access: User('read:notifications'),
  summary: 'The same as true and false: whether notifications are filtered.',
  handle: async ({ call, viewerId }, { policies }) => notificationPolicyV1Entity(await policies.read(call, { viewerId })),
})

const choiceOf = (isFiltered: boolean | undefined) => {
  if (isFiltered === undefined) return undefined
  return isFiltered ? 'filter' : 'accept'
}

export const updateNotificationPolicyV1 = endpoint({
  method: 'PUT',
  path: PATH_V1,
  access: User('write:notifications'),
  summary: 'Changes whether notifications are filtered.',
  input: form({
    filter_not_following: flag(),
    filter_not_followers: flag(),
    filter_new_accounts: flag(),
    filter_private_mentions: flag(),
  }),
  handle: async ({ call, input, viewerId }, { policies }) =>
    notificationPolicyV1Entity(
      await policies.update(call, {
        viewerId,
        forNotFollowing: choiceOf(input.filter_not_following),
        forNotFollowers: choiceOf(input.filter_not_followers),
        forNewAccounts: choiceOf(input.filter_new_accounts),
        forPrivateMentions: choiceOf(input.filter_private_mentions),
      }),
    ),
})
