import { AccountBody, AccountPage, RelationshipList, StatusBody, StatusPage } from '@rookery/contracts/statuses'
import { expect, it } from 'vitest'
import { subjectsOf } from './subject.rules.ts'

const account = (more: object = {}) => Buffer.from(AccountBody.encode(AccountBody.fromPartial({ username: 'ann', ...more })).finish())
const body = Buffer.from(StatusBody.encode(StatusBody.fromPartial({ content: '<p>tea &amp; milk</p>' })).finish())
const statuses = StatusPage.fromPartial({ items: [{ id: '7', overlay: {} }], statuses: [{ id: '7', body }] })

const MENTION = { type: 'mention', actorId: '2', statusId: '7' }
const FOLLOW = { type: 'follow', actorId: '2', statusId: '' }
const REQUEST = { ...FOLLOW, type: 'follow_request' }

const subjects = (
  reference: typeof MENTION,
  { person = {}, relation = {}, page = statuses }: { person?: object; relation?: object; page?: StatusPage } = {},
) =>
  subjectsOf([reference], {
    accounts: AccountPage.fromPartial({ accounts: [{ id: '2', body: account(person) }] }),
    statuses: page,
    relationships: RelationshipList.fromPartial({ relationships: [{ id: '2', ...relation }] }),
  })

it('says who did what, and what they said', () => {
  const person = { displayName: 'Ann Lee' }
  expect(subjects(MENTION, { person })).toEqual([
    { type: 'mention', displayName: 'Ann Lee', username: 'ann', statusId: '7', excerpt: 'tea & milk' },
  ])
  expect(subjects(FOLLOW, { relation: { followedBy: true } })).toEqual([
    { type: 'follow', displayName: 'ann', username: 'ann', statusId: '', excerpt: '' },
  ])
})

it.each([
  ['a post that its reader may not see', MENTION, { page: StatusPage.fromPartial({}) }],
  ['a suspended account', MENTION, { person: { isSuspended: true } }],
  ['an account that is blocked', MENTION, { relation: { blocking: true } }],
  ['an account that blocks', MENTION, { relation: { blockedBy: true } }],
  ['an account of a domain that is blocked', MENTION, { relation: { domainBlocking: true } }],
  ['an account whose notifications are muted', MENTION, { relation: { muting: true, mutingNotifications: true } }],
  ['a follow that ended', FOLLOW, {}],
  ['a follow request that was withdrawn or answered', REQUEST, {}],
])('says nothing of %s', (_case, reference, given) => expect(subjects(reference, given)).toEqual([]))

it.each([
  ['an account that is muted, but for its notifications', MENTION, { relation: { muting: true } }],
  ['a follow request that waits', REQUEST, { relation: { requestedBy: true } }],
])('says something of %s', (_case, reference, given) => expect(subjects(reference, given)).toHaveLength(1))
