import type { TagFollowed } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** An account followed a tag. */
export const tagFollowed = (follow: TagFollowed): OutboxEvent => ({
  key: follow.accountId,
  event: { $case: 'tagFollowed', value: follow },
})

/** An account unfollowed a tag. */
export const tagUnfollowed = (follow: TagFollowed): OutboxEvent => ({
  key: follow.accountId,
  event: { $case: 'tagUnfollowed', value: follow },
})
