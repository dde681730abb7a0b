import { LIMITS } from '@rookery/contracts/limits'
import type { PollDraft } from '@rookery/contracts/statuses'
import type { StoredPoll } from '../../database/tables/poll.ts'

const graphemes = new Intl.Segmenter()
const lengthOf = (text: string) => (text.length > 1000 ? text.length : [...graphemes.segment(text)].length)

const optionsOf = (draft: PollDraft): string[] => draft.options.map((option) => option.trim()).filter((option) => option !== '')

/** A new poll without votes; `now` in milliseconds since 1970. */
export const storedPoll = (draft: PollDraft, now: number): StoredPoll => {
  const options = optionsOf(draft)
  return {
    expiresAt: now + (draft.expiresInSeconds ?? 0) * 1000,
    isMultiple: draft.isMultiple,
    hidesTotals: draft.hidesTotals,
    options,
    votes: options.map(() => 0),
    voters: 0,
  }
}

/** Whether votes in one poll are valid for the other. */
export const isSameQuestion = (one: StoredPoll, other: StoredPoll): boolean =>
  one.isMultiple === other.isMultiple && JSON.stringify(one.options) === JSON.stringify(other.options)

const optionFaults = (options: readonly string[]): string[] => {
  const { maxOptions, maxCharactersPerOption } = LIMITS.polls
  return [
    options.length < 2 && 'Choices must have more than one item',
    options.length > maxOptions && `Choices can't contain more than ${maxOptions} items`,
    options.some((option) => lengthOf(option) > maxCharactersPerOption) &&
      `Choices cannot be longer than ${maxCharactersPerOption} characters each`,
    new Set(options).size < options.length && 'Choices contain duplicate items',
  ].filter((fault) => fault !== false)
}

const deadlineFaults = (seconds: number | undefined): string[] => {
  if (seconds === undefined) return ["Deadline can't be blank"]
  if (seconds < LIMITS.polls.minExpirationSeconds) return ['Deadline is too soon']
  return seconds > LIMITS.polls.maxExpirationSeconds ? ['Deadline is too far into the future'] : []
}

/** The faults of a poll, in the contract's words (beyond-the-spec 1.4, 1.10). */
export const pollFaults = (draft: PollDraft): string[] => [...optionFaults(optionsOf(draft)), ...deadlineFaults(draft.expiresInSeconds)]

/** A poll and a vote to be cast. */
export type Ballot = {
  authorId: string
  voterId: string
  hasVoted: boolean
  /** The voter's earlier choices, for remote voters, whose choices arrive one by one. */
  earlier?: readonly number[]
  /** Null if the poll does not end. */
  expiresAt: Date | null
  isMultiple: boolean
  optionCount: number
  choices: readonly number[]
  now: number
}

/** Whether the vote adds to an earlier one: other servers send each choice of a multiple-choice vote by itself. */
const mayAddTo = ({ isMultiple, earlier, choices }: Ballot): boolean =>
  isMultiple && earlier !== undefined && !choices.some((choice) => earlier.includes(choice))

/** The reason why a vote is invalid, in the contract's words; undefined if it is valid (spec, Polls; beyond-the-spec 1.4). */
export const voteFault = (ballot: Ballot): string | undefined => {
  const { choices, optionCount } = ballot
  if (ballot.expiresAt && ballot.expiresAt.getTime() <= ballot.now) return 'The poll has already ended'
  if (ballot.authorId === ballot.voterId) return 'You cannot vote in your own polls'
  if (ballot.hasVoted && !mayAddTo(ballot)) return 'You have already voted on this poll'
  const areKnown = choices.length > 0 && choices.every((choice) => Number.isInteger(choice) && choice >= 0 && choice < optionCount)
  if (!areKnown) return 'The chosen vote option does not exist'
  return choices.length > 1 && !ballot.isMultiple ? 'You have already voted on this poll' : undefined
}
