import { expect, test } from 'vitest'
import { type Concern, concernOf, type Elsewhere, isConcerned, type Kind } from './concern.rules.ts'

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

const MARA = 'mara'
const ANN = 'ann'
const BEN = 'ben'
const STATUS = {
  authorId: MARA,
  visibility: 'public',
  reblogOfId: '',
  inReplyToAccountId: '',
  reblogOfAuthorId: '',
  mentionedAccountIds: [],
}
const of = (kind: Kind, value: object) => concernOf({ $case: kind, value } as unknown as Parameters<typeof concernOf>[0])
const published = (more: object) => of('statusPublished', { ...STATUS, ...more })
const sent = { remoteAccountIds: [ANN] }
const deleted = (more: object) => of('statusDeleted', { ...STATUS, sent, ...more })
const PUBLIC = { toFollowers: true, toRelays: true }
const FOLLOWERS = { toFollowers: true }
const UNNAMED = { toUnnamed: true, toRelays: true }

test.each<[string, Concern, Partial<Concern>]>([
  ['public status goes to followers and relays', published({}), { to: ['', '', ''], ...PUBLIC }],
  ['unlisted status goes to followers, but no relays', published({ visibility: 'unlisted' }), { to: ['', '', ''], ...FOLLOWERS }],
  ['private status goes to followers, but no relays', published({ visibility: 'private' }), { to: ['', '', ''], ...FOLLOWERS }],
  [
    'direct status goes to those it mentions alone',
    published({ visibility: 'direct', mentionedAccountIds: [ANN, BEN] }),
    { to: [ANN, BEN, '', '', ''] },
  ],
  ['reply goes to whom it answers too', published({ inReplyToAccountId: ANN }), { to: [ANN, '', ''], ...PUBLIC }],
  ['quote goes to the quoted author too', published({ quotedAuthorId: ANN }), { to: ['', '', ANN], ...PUBLIC }],
  [
    'boost goes to followers and the boosted author, but no relays',
    published({ reblogOfId: '1', reblogOfAuthorId: ANN }),
    { to: ['', ANN, ''], ...FOLLOWERS },
  ],
  ['deletion goes where the status was sent', deleted({}), { to: [ANN], ...PUBLIC }],
  ['deletion of a private status goes to no relays', deleted({ visibility: 'private' }), { to: [ANN], ...FOLLOWERS }],
  ['deletion of a direct status goes to its recipients alone', deleted({ visibility: 'direct' }), { to: [ANN] }],
  ['deletion of a boost goes to no relays', deleted({ reblogOfId: '1' }), { to: [ANN], ...FOLLOWERS }],
  ['deletion of a status that was not sent goes nowhere', deleted({ sent: undefined }), {}],
  ['edit goes to more than it names', of('statusEdited', { authorId: MARA }), UNNAMED],
  ['change of who may quote goes to more than it names', of('statusQuotingChanged', { authorId: MARA }), UNNAMED],
  ['count of a poll goes to more than it names', of('pollCounted', { accountId: MARA }), UNNAMED],
  ['profile goes to more than it names, its aliases', of('profileChanged', { accountId: MARA }), UNNAMED],
  ['closed account is known to more than it names', of('accountClosed', { accountId: MARA }), UNNAMED],
  [
    'revoked quote goes from the quoted author to the quoting one, and to more than it names',
    of('quoteRevoked', { authorId: ANN, quotedAuthorId: MARA }),
    { to: [ANN], toUnnamed: true },
  ],
  ['pin goes to followers', of('statusPinned', { accountId: MARA }), FOLLOWERS],
  ['end of a pin goes to followers', of('statusUnpinned', { accountId: MARA }), FOLLOWERS],
  ['move goes to followers', of('accountMoved', { accountId: MARA }), FOLLOWERS],
  ['accepted follow goes from the followed to the follower', of('accountFollowed', { accountId: ANN, targetId: MARA }), { to: [ANN] }],
  ['refused follow goes from the followed to the follower', of('followRefused', { accountId: ANN, targetId: MARA }), { to: [ANN] }],
  ...(['followRequested', 'followRequestWithdrawn', 'accountUnfollowed', 'accountBlocked', 'accountUnblocked'] as const).map(
    (kind): [string, Concern, Partial<Concern>] => [
      `${kind} goes to the target`,
      of(kind, { accountId: MARA, targetId: ANN }),
      { to: [ANN] },
    ],
  ),
  ...(['statusFavourited', 'statusUnfavourited', 'pollVoted'] as const).map((kind): [string, Concern, Partial<Concern>] => [
    `${kind} goes to the author`,
    of(kind, { accountId: MARA, authorId: ANN }),
    { to: [ANN] },
  ]),
])('a %s', (_what, concern, expected) => expect(concern).toEqual(by(MARA, expected)))

test('a forwarded report is of the server, not of who reports', () =>
  expect(of('reportForwarded', { targetId: ANN })).toEqual(by('', { to: [ANN] })))
