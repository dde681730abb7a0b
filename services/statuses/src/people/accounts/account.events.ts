import type { ProfilePicturesChanged } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** A profile shows other files than before. */
export const profilePicturesChanged = (changed: ProfilePicturesChanged): OutboxEvent => ({
  key: changed.accountId,
  event: { $case: 'profilePicturesChanged', value: changed },
})

/** What a profile of this server shows changed. */
export const profileChanged = (accountId: string): OutboxEvent => ({
  key: accountId,
  event: { $case: 'profileChanged', value: { accountId } },
})
