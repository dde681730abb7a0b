import type { ProfilePicturesChanged } from '@rookery/contracts/events'
import type { KeyedFact } from '@rookery/events'

/** A profile shows other files than before. */
export const profilePicturesChanged = (changed: ProfilePicturesChanged): KeyedFact => ({
  key: changed.accountId,
  fact: { $case: 'profilePicturesChanged', value: changed },
})
