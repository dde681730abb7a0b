import { Relation } from '@rookery/contracts/events'
import { describe, expect, test } from 'vitest'
import { choiceOf, DEFAULT_POLICY, reasonsOf, refuseUnknownChoices } from './policy.rules.ts'

const DAY = 24 * 3600 * 1000
const NOW = 1_700_000_000_000
const OLD = NOW - 31 * DAY

/** A stranger with an old account. */
const STRANGER: Partial<Relation> = { actorCreatedAtMilliseconds: OLD }
const FOLLOWED = { ...STRANGER, recipientFollowsActor: true, actorFollowsRecipient: true }
const reasons = (type: string, relation: Partial<Relation>) => reasonsOf(type, Relation.fromPartial(relation), NOW)

describe('a notification fails', () => {
  const strange = ['forNotFollowers', 'forNotFollowing']
  test.each<[string, string, Partial<Relation>, string[]]>([
    ['no test when both follow each other', 'mention', FOLLOWED, []],
    ['two tests when neither follows the other', 'mention', STRANGER, strange],
    ['that of following when only the actor follows', 'mention', { ...STRANGER, actorFollowsRecipient: true }, ['forNotFollowing']],
    ['that of followers when only the recipient follows', 'mention', { ...STRANGER, recipientFollowsActor: true }, ['forNotFollowers']],
    ['that of followers below 3 days', 'mention', { ...FOLLOWED, actorFollowsSinceMilliseconds: NOW - 3 * DAY + 1 }, ['forNotFollowers']],
    ['no test of followers at 3 days', 'mention', { ...FOLLOWED, actorFollowsSinceMilliseconds: NOW - 3 * DAY }, []],
    ['that of age below 30 days', 'reblog', { actorCreatedAtMilliseconds: NOW - 30 * DAY + 1 }, [...strange, 'forNewAccounts']],
    ['no test of age at 30 days', 'reblog', { actorCreatedAtMilliseconds: NOW - 30 * DAY }, strange],
    ['no test of age when followed', 'mention', { ...FOLLOWED, actorCreatedAtMilliseconds: NOW }, []],
    ['that of private mentions', 'mention', { ...STRANGER, isPrivateMention: true }, [...strange, 'forPrivateMentions']],
    ['none of private mentions in reply', 'mention', { ...STRANGER, isPrivateMention: true, isReplyToRecipient: true }, strange],
    ['none of private mentions when followed', 'mention', { ...FOLLOWED, isPrivateMention: true }, []],
    ['none of private mentions as a favourite', 'favourite', { ...STRANGER, isPrivateMention: true }, strange],
    ['that of limited accounts', 'follow', { ...STRANGER, isActorLimited: true }, [...strange, 'forLimitedAccounts']],
    ['no test of limits when followed', 'follow', { ...FOLLOWED, isActorLimited: true }, []],
    ['no test as a mention by staff', 'mention', { isActorStaff: true, isActorLimited: true, isPrivateMention: true }, []],
    ['tests as a favourite by staff', 'favourite', { ...STRANGER, isActorStaff: true }, strange],
    ['tests as a quote', 'quote', STRANGER, strange],
    ['tests as a follow request', 'follow_request', STRANGER, strange],
    ['no test as a status of an account whose posts notify', 'status', STRANGER, []],
    ['no test as the end of a poll', 'poll', STRANGER, []],
    ['no test as an edit', 'update', STRANGER, []],
    ['no test as a report', 'admin.report', STRANGER, []],
    ['no test as a sign-up', 'admin.sign_up', STRANGER, []],
  ])('%s', (_case, type, relation, expected) => expect(reasons(type, relation).sort()).toEqual([...expected].sort()))

  test('no test when the event does not say what the two are to each other', () => {
    expect(reasonsOf('mention', undefined, NOW)).toEqual([])
  })
})

describe('by what the policy says of the tests that it fails, a notification', () => {
  const policy = { ...DEFAULT_POLICY, forNotFollowing: 'filter', forNewAccounts: 'drop' } as const
  test.each([
    ['that fails none is accepted', [], 'accept'],
    ['that fails an accepting one is accepted', ['forNotFollowers'], 'accept'],
    ['is filtered by one', ['forNotFollowers', 'forNotFollowing'], 'filter'],
    ['is dropped by one though another filters', ['forNewAccounts', 'forNotFollowing'], 'drop'],
  ] as const)('%s', (_case, failed, choice) => expect(choiceOf(policy, failed)).toBe(choice))

  test.each([
    ['forNotFollowing', 'accept'],
    ['forNotFollowers', 'accept'],
    ['forNewAccounts', 'accept'],
    ['forPrivateMentions', 'filter'],
    ['forLimitedAccounts', 'filter'],
  ] as const)('is by default, where it fails %s: %s', (reason, choice) => expect(choiceOf(DEFAULT_POLICY, [reason])).toBe(choice))
})

test('every unknown choice is refused by its name', () => {
  const odd = { forNotFollowing: 'x', forNotFollowers: '', forNewAccounts: 'Drop', forPrivateMentions: 'x', forLimitedAccounts: 'x' }
  const names = ['For not following', 'For not followers', 'For new accounts', 'For private mentions', 'For limited accounts']
  expect(() => refuseUnknownChoices(odd)).toThrow(names.map((name) => `${name} is not included in the list`).join(', '))
  const known = { forNotFollowing: 'accept', forNotFollowers: 'drop', forNewAccounts: 'filter', forPrivateMentions: undefined }
  expect(() => refuseUnknownChoices(known)).not.toThrow()
})
