import type { CustomEmoji, OwnVotes, Poll } from '@rookery/contracts/statuses'
import type { StoredPoll } from '../../database/tables/poll.ts'

/** A poll with the emojis of its options. */
export type ShownPoll = StoredPoll & { readonly emojis: CustomEmoji[] }

/** A poll at a time (milliseconds since 1970), with the viewer's votes if there is a viewer. Hidden totals are shown once it has ended. */
export const presentPoll = (poll: ShownPoll, now: number, ownVotes: OwnVotes | undefined): Poll => {
  const isExpired = poll.expiresAt !== null && poll.expiresAt <= now
  const areTotalsShown = isExpired || !poll.hidesTotals
  return {
    expiresAtMilliseconds: poll.expiresAt ?? undefined,
    isExpired,
    isMultiple: poll.isMultiple,
    votesCount: poll.votes.reduce((sum, count) => sum + count, 0),
    votersCount: poll.voters,
    options: poll.options.map((title, index) => ({ title, votesCount: areTotalsShown ? (poll.votes[index] ?? 0) : undefined })),
    ownVotes,
    emojis: poll.emojis,
  }
}

/** A viewer's votes in the poll of a status. Its author counts as having voted, as they may not vote (beyond-the-spec 1.10). */
export const ownVotesOf = ({ authorId }: { authorId: string }, viewerId: string, choices: number[] = []): OwnVotes => ({
  hasVoted: choices.length > 0 || authorId === viewerId,
  choices,
})
