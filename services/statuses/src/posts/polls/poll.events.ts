import type { PollVoted } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** A person of this server voted in a poll of another server. */
export const pollVoted = (vote: PollVoted): OutboxEvent => ({ key: vote.accountId, event: { $case: 'pollVoted', value: vote } })

/** The votes in a poll of this server are others than other servers know. */
export const pollCounted = (counted: { accountId: string; statusId: string }): OutboxEvent => ({
  key: counted.accountId,
  event: { $case: 'pollCounted', value: counted },
})
