import type { PollVoted } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** A local account voted in a remote poll. */
export const pollVoted = (vote: PollVoted): OutboxEvent => ({ key: vote.accountId, event: { $case: 'pollVoted', value: vote } })

/** The votes of a local poll changed since they were last sent to other servers. */
export const pollCounted = (counted: { accountId: string; statusId: string }): OutboxEvent => ({
  key: counted.accountId,
  event: { $case: 'pollCounted', value: counted },
})
