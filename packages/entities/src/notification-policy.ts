import type { NotificationPolicy } from '@rookery/contracts/notifications'

const summary = ({ pendingRequestsCount, pendingNotificationsCount }: NotificationPolicy) => ({
  pending_requests_count: pendingRequestsCount,
  pending_notifications_count: pendingNotificationsCount,
})

/** NotificationPolicy (beyond-the-spec 1.1). */
export const notificationPolicyEntity = (policy: NotificationPolicy) => ({
  for_not_following: policy.forNotFollowing,
  for_not_followers: policy.forNotFollowers,
  for_new_accounts: policy.forNewAccounts,
  for_private_mentions: policy.forPrivateMentions,
  for_limited_accounts: policy.forLimitedAccounts,
  summary: summary(policy),
})

/** NotificationPolicy of API version 1: whether notifications are filtered (beyond-the-spec 2.4). */
export const notificationPolicyV1Entity = (policy: NotificationPolicy) => ({
  filter_not_following: policy.forNotFollowing !== 'accept',
  filter_not_followers: policy.forNotFollowers !== 'accept',
  filter_new_accounts: policy.forNewAccounts !== 'accept',
  filter_private_mentions: policy.forPrivateMentions !== 'accept',
  summary: summary(policy),
})
