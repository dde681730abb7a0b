import type { TagFollowed } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** Someone began to follow a tag. */
export const tagFollowed = (follow: TagFollowed): OutboxEvent => ({
  key: follow.accountId,
  event: { $case: 'tagFollowed', value: follow },
})

/** Someone no longer follows a tag. */
export const tagUnfollowed = (follow: TagFollowed): OutboxEvent => ({
  key: follow.accountId,
  event: { $case: 'tagUnfollowed', value: follow },
})
