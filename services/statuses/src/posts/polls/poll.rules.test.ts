import { describe, expect, test } from 'vitest'
import { isSameQuestion, pollFaults, storedPoll, voteFault } from './poll.rules.ts'

const DRAFT = { options: ['tea', 'coffee'], expiresInSeconds: 300, isMultiple: false, hidesTotals: false }

test('a poll is kept with trimmed options, without blank ones and without votes', () => {
  expect(storedPoll({ ...DRAFT, options: [' tea ', '', 'coffee'], isMultiple: true }, 1000)).toEqual({
    expiresAt: 301_000,
    isMultiple: true,
    hidesTotals: false,
    options: ['tea', 'coffee'],
    votes: [0, 0],
    voters: 0,
  })
})

describe('two polls ask the same', () => {
  const poll = storedPoll(DRAFT, 0)
  test.each([
    ['with other votes and another end', { ...poll, votes: [3, 4], voters: 7, expiresAt: 5 }, true],
    ['not when one lets choose several', { ...poll, isMultiple: true }, false],
    ['not with options in another order', { ...poll, options: ['coffee', 'tea'] }, false],
    ['not with another option', { ...poll, options: ['tea', 'water'] }, false],
  ])('%s', (_when, other, expected) => expect(isSameQuestion(poll, other)).toBe(expected))
})

describe('a poll is refused', () => {
  const fifty = 'a'.repeat(50)
  test.each([
    ['not when it keeps the limits', DRAFT, []],
    ['with one option', { ...DRAFT, options: ['tea', ' '] }, ['Choices must have more than one item']],
    ['not with four options', { ...DRAFT, options: ['a', 'b', 'c', 'd'] }, []],
    ['with five options', { ...DRAFT, options: ['a', 'b', 'c', 'd', 'e'] }, ["Choices can't contain more than 4 items"]],
    ['not with an option of 50 characters', { ...DRAFT, options: [fifty, 'b'] }, []],
    ['with an option of 51 characters', { ...DRAFT, options: [`${fifty}a`, 'b'] }, ['Choices cannot be longer than 50 characters each']],
    ['not with 50 emojis of many code points', { ...DRAFT, options: ['👩‍👩‍👧'.repeat(50), 'b'] }, []],
    ['with options that are equal once trimmed', { ...DRAFT, options: ['tea', ' tea'] }, ['Choices contain duplicate items']],
    ['without an end', { ...DRAFT, expiresInSeconds: undefined }, ["Deadline can't be blank"]],
    ['when it ends in less than five minutes', { ...DRAFT, expiresInSeconds: 299 }, ['Deadline is too soon']],
    ['not when it ends in a month', { ...DRAFT, expiresInSeconds: 2_629_746 }, []],
    ['when it ends later than in a month', { ...DRAFT, expiresInSeconds: 2_629_747 }, ['Deadline is too far into the future']],
    [
      'with all its faults at once',
      { ...DRAFT, options: [], expiresInSeconds: 1 },
      ['Choices must have more than one item', 'Deadline is too soon'],
    ],
  ])('%s', (_when, draft, faults) => expect(pollFaults(draft)).toEqual(faults))
})

describe('a vote', () => {
  const BALLOT = {
    authorId: 'mara',
    voterId: 'joel',
    hasVoted: false,
    expiresAt: new Date(1000),
    isMultiple: false,
    optionCount: 2,
    choices: [0],
    now: 999,
  }
  const TOGETHER = { hasVoted: true, isMultiple: true }
  const VOTED = { ...TOGETHER, earlier: [0] }
  test.each([
    ['counts', BALLOT, undefined],
    ['for the last option counts', { ...BALLOT, choices: [1] }, undefined],
    ['at the moment of the end comes too late', { ...BALLOT, now: 1000 }, 'The poll has already ended'],
    ['in an own poll does not count', { ...BALLOT, voterId: 'mara' }, 'You cannot vote in your own polls'],
    ['of someone who voted does not count', { ...BALLOT, hasVoted: true }, 'You have already voted on this poll'],
    ['for nothing does not count', { ...BALLOT, choices: [] }, 'The chosen vote option does not exist'],
    ['for an option past the last does not count', { ...BALLOT, choices: [2] }, 'The chosen vote option does not exist'],
    ['for an option before the first does not count', { ...BALLOT, choices: [-1] }, 'The chosen vote option does not exist'],
    ['for half an option does not count', { ...BALLOT, choices: [0.5] }, 'The chosen vote option does not exist'],
    ['for two options of a single choice does not count', { ...BALLOT, choices: [0, 1] }, 'You have already voted on this poll'],
    [
      'for an option past the last beside a known one does not count',
      { ...BALLOT, choices: [0, 2], isMultiple: true },
      'The chosen vote option does not exist',
    ],
    ['for another option of a multiple choice counts, where choices arrive one by one', { ...BALLOT, ...VOTED, choices: [1] }, undefined],
    ['for the same option again does not', { ...BALLOT, ...VOTED, choices: [0] }, 'You have already voted on this poll'],
    ['for the same option and another does not', { ...BALLOT, ...VOTED, choices: [1, 0] }, 'You have already voted on this poll'],
    [
      'for another option of a single choice does not',
      { ...BALLOT, ...VOTED, isMultiple: false, choices: [1] },
      'You have already voted on this poll',
    ],
    [
      'for another option does not, where choices arrive together',
      { ...BALLOT, ...TOGETHER, choices: [1] },
      'You have already voted on this poll',
    ],
    ['for two options of a multiple choice counts', { ...BALLOT, choices: [0, 1], isMultiple: true }, undefined],
  ])('%s', (_what, ballot, fault) => expect(voteFault(ballot)).toBe(fault))
})
