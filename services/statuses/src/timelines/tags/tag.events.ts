import type { TagFollowed } from '@rookery/contracts/events'
import type { KeyedFact } from '@rookery/events'

/** Somebody began to follow a tag. */
export const tagFollowed = (follow: TagFollowed): KeyedFact => ({
  key: follow.accountId,
  fact: { $case: 'tagFollowed', value: follow },
})

/** Somebody no longer follows a tag. */
export const tagUnfollowed = (follow: TagFollowed): KeyedFact => ({
  key: follow.accountId,
  fact: { $case: 'tagUnfollowed', value: follow },
})
