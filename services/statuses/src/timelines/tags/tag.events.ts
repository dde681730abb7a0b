import type { TagFollowed } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** Somebody began to follow a tag. */
export const tagFollowed = (follow: TagFollowed): OutboxEvent => ({
  key: follow.accountId,
  event: { $case: 'tagFollowed', value: follow },
})

/** Somebody no longer follows a tag. */
export const tagUnfollowed = (follow: TagFollowed): OutboxEvent => ({
  key: follow.accountId,
  event: { $case: 'tagUnfollowed', value: follow },
})
