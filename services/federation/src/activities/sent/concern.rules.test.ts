import { expect, test } from 'vitest'
import { type Concern, concernOf, type Elsewhere, isConcerned } from './concern.rules.ts'

const HERE = '1'
const FAR = '9'
const elsewhere = (more: Partial<Elsewhere> = {}): Elsewhere => ({
  isAnyoneKnown: true,
  accountIds: [FAR],
  followedIds: [],
  hasRelays: false,
  ...more,
})
const by = (author: string, more: Partial<Concern> = {}): Concern => ({
  by: author,
  to: [],
  toFollowers: false,
  toUnnamed: false,
  toRelays: false,
  ...more,
})

test.each<[string, Concern, Elsewhere, boolean]>([
  ['what names no one', by(HERE), elsewhere(), false],
  ['what names someone here', by(HERE, { to: ['2', ''] }), elsewhere(), false],
  ['what names someone elsewhere', by(HERE, { to: ['2', FAR] }), elsewhere(), true],
  ['what is for followers, who are all here', by(HERE, { toFollowers: true }), elsewhere(), false],
  ['what is for followers, one elsewhere', by(HERE, { toFollowers: true }), elsewhere({ followedIds: [HERE] }), true],
  ['what is direct, of someone followed from elsewhere', by(HERE), elsewhere({ followedIds: [HERE] }), false],
  ['what goes to more than it names', by(HERE, { toUnnamed: true }), elsewhere({ accountIds: [] }), true],
  ['what goes to more than it names, where no one is known', by(HERE, { toUnnamed: true }), elsewhere({ isAnyoneKnown: false }), false],
  ['what someone elsewhere says', by(FAR, { to: [FAR], toFollowers: true, toUnnamed: true }), elsewhere({ followedIds: [FAR] }), false],
  ['what goes to relays, where there are none', by(HERE, { toRelays: true }), elsewhere(), false],
  ['what goes to relays', by(HERE, { toRelays: true }), elsewhere({ hasRelays: true }), true],
  ['what someone elsewhere says, with relays', by(FAR, { toRelays: true }), elsewhere({ hasRelays: true }), false],
  ['what the server says of someone elsewhere', by('', { to: [FAR] }), elsewhere(), true],
])('%s concerns someone elsewhere: %#', (_case, concern, known, expected) => expect(isConcerned(concern, known)).toBe(expected))

test('a profile may name accounts elsewhere as aliases, which its event does not say', () => {
  const concern = concernOf({ $case: 'profileChanged', value: { accountId: HERE, isForAll: false } })
  expect([isConcerned(concern, elsewhere()), isConcerned(concern, elsewhere({ isAnyoneKnown: false }))]).toEqual([true, false])
})
