import type { ProfilePicturesChanged } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** The image files of a profile changed. */
export const profilePicturesChanged = (changed: ProfilePicturesChanged): OutboxEvent => ({
  key: changed.accountId,
  event: { $case: 'profilePicturesChanged', value: changed },
})

/** The public profile of a local account changed. `isForAll`: all known servers learn of it, not only those of followers. */
export const profileChanged = (accountId: string, { isForAll = false } = {}): OutboxEvent => ({
  key: accountId,
  event: { $case: 'profileChanged', value: { accountId, isForAll } },
})
