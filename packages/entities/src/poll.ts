import type { Poll } from '@rookery/contracts/statuses'
import { customEmojiEntity } from './custom-emoji.ts'
import { timestamp } from './timestamp.ts'

/** Poll (spec, Resources; beyond-the-spec 1.1). Its id is that of its status; voted and own_votes only for a signed-in viewer. */
export const pollEntity = (id: string, poll: Poll) => ({
  id,
  expires_at: poll.expiresAtMilliseconds === undefined ? null : timestamp(poll.expiresAtMilliseconds),
  expired: poll.isExpired,
  multiple: poll.isMultiple,
  votes_count: poll.votesCount,
  voters_count: poll.votersCount,
  options: poll.options.map(({ title, votesCount }) => ({ title, votes_count: votesCount ?? null })),
  emojis: poll.emojis.map(customEmojiEntity),
  ...(poll.ownVotes ? { voted: poll.ownVotes.hasVoted, own_votes: poll.ownVotes.choices } : {}),
})
