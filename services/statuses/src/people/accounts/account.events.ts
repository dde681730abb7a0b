import type { ProfilePicturesChanged } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** A profile shows other files than before. */
export const profilePicturesChanged = (changed: ProfilePicturesChanged): OutboxEvent => ({
  key: changed.accountId,
  event: { $case: 'profilePicturesChanged', value: changed },
})

/** The shown profile of an account of this server changed. */
export const profileChanged = (accountId: string): OutboxEvent => ({
  key: accountId,
  event: { $case: 'profileChanged', value: { accountId } },
})
