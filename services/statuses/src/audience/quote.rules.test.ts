import { QuoteApproval, QuotePolicy, QuoteState, Visibility } from '@rookery/contracts/statuses'
import { expect, test } from 'vitest'
import type { JudgedStatus } from './audience.rules.ts'
import { allowedQuotePolicy, isQuotedShown, quoteApproval, quoteState } from './quote.rules.ts'

const QUOTED: JudgedStatus = {
  id: '7',
  authorId: 'mara',
  authorDomain: 'loud.example',
  visibility: Visibility.PUBLIC,
  reblogOfId: undefined,
  isAuthorSilenced: false,
  isAuthorSuspended: false,
}
const SECRET = { ...QUOTED, visibility: Visibility.PRIVATE }
const names = (...ids: string[]) => new Set(ids)
type Case = {
  state?: QuoteState
  quotedId?: string | undefined
  quoted?: JudgedStatus
  viewer?: string
  ties?: Partial<Record<'followed' | 'mentioned' | 'blocking' | 'blockedBy' | 'muted' | 'blockedDomains', ReadonlySet<string>>>
}

const stateOf = ({ state = QuoteState.ACCEPTED, quoted = QUOTED, viewer = 'joel', ties = {}, ...given }: Case): QuoteState => {
  const {
    followed = names(),
    mentioned = names(),
    blocking = names(),
    blockedBy = names(),
    muted = names(),
    blockedDomains = names(),
  } = ties
  const quotedId = 'quotedId' in given ? given.quotedId : '7'
  const statuses = { heads: new Map([['7', quoted]]), followed, mentioned }
  return quoteState({ state, quotedId }, statuses, { id: viewer, blocks: { blocking, blockedBy, muted, blockedDomains } })
}

test.each<[string, Case, keyof typeof QuoteState]>([
  ['of what everyone may see', {}, 'ACCEPTED'],
  ['to no one in particular', { viewer: '' }, 'ACCEPTED'],
  ['that waits', { state: QuoteState.PENDING }, 'PENDING'],
  ['that was rejected', { state: QuoteState.REJECTED }, 'REJECTED'],
  ['that was revoked, also of what is gone', { state: QuoteState.REVOKED, quotedId: undefined }, 'REVOKED'],
  ['of what was deleted', { quotedId: undefined }, 'DELETED'],
  ['of what is not there', { quotedId: '8' }, 'DELETED'],
  ['of a private status', { quoted: SECRET }, 'UNAUTHORIZED'],
  ['of a private status, to no one in particular', { quoted: SECRET, viewer: '' }, 'UNAUTHORIZED'],
  ['of a private status, to a follower', { quoted: SECRET, ties: { followed: names('mara') } }, 'ACCEPTED'],
  ['of a private status, to whom it mentions', { quoted: SECRET, ties: { mentioned: names('7') } }, 'ACCEPTED'],
  ['of a private status, to its author', { quoted: SECRET, viewer: 'mara' }, 'ACCEPTED'],
  ['of a suspended author', { quoted: { ...QUOTED, isAuthorSuspended: true } }, 'UNAUTHORIZED'],
  ['of a silenced author', { quoted: { ...QUOTED, isAuthorSilenced: true } }, 'ACCEPTED'],
  ['of an author who blocks the viewer', { ties: { blockedBy: names('mara') } }, 'UNAUTHORIZED'],
  ['where each blocks the other', { ties: { blockedBy: names('mara'), blocking: names('mara') } }, 'UNAUTHORIZED'],
  ['of an author whom the viewer blocks', { ties: { blocking: names('mara'), muted: names('mara') } }, 'BLOCKED_ACCOUNT'],
  ['of an author of a domain that the viewer blocks', { ties: { blockedDomains: names('loud.example') } }, 'BLOCKED_DOMAIN'],
  ['of an author whom the viewer mutes', { ties: { muted: names('mara') } }, 'MUTED_ACCOUNT'],
  ['of a private status of a muted author', { quoted: SECRET, ties: { muted: names('mara') } }, 'UNAUTHORIZED'],
])('a quote %s is %3$s', (_what, given, expected) => expect(stateOf(given)).toBe(QuoteState[expected]))

test('what is quoted is shown in four states alone', () => {
  const shown = Object.entries(QuoteState).filter(([, state]) => isQuotedShown(state))
  expect(shown.map(([name]) => name)).toEqual(['ACCEPTED', 'BLOCKED_ACCOUNT', 'BLOCKED_DOMAIN', 'MUTED_ACCOUNT'])
})

const { PUBLIC, FOLLOWERS, NOBODY } = QuotePolicy
test.each([
  [Visibility.PUBLIC, PUBLIC, 'joel', false, 'AUTOMATIC'],
  [Visibility.UNLISTED, PUBLIC, 'joel', false, 'AUTOMATIC'],
  [Visibility.PUBLIC, PUBLIC, '', false, 'DENIED'],
  [Visibility.PUBLIC, FOLLOWERS, 'joel', false, 'DENIED'],
  [Visibility.PUBLIC, FOLLOWERS, 'joel', true, 'AUTOMATIC'],
  [Visibility.PUBLIC, NOBODY, 'joel', true, 'DENIED'],
  [Visibility.PUBLIC, NOBODY, 'mara', false, 'AUTOMATIC'],
  [Visibility.PRIVATE, NOBODY, 'mara', false, 'AUTOMATIC'],
  [Visibility.DIRECT, NOBODY, 'mara', false, 'DENIED'],
] as const)('a status of visibility %i and policy %i is, to %j (follows: %s), %s', (visibility, quotePolicy, id, follows, expected) =>
  expect(quoteApproval({ authorId: 'mara', visibility, quotePolicy }, { id, follows })).toBe(QuoteApproval[expected]),
)

test('what is not for everyone is for its author to quote', () => {
  const policies = [Visibility.PUBLIC, Visibility.UNLISTED, Visibility.PRIVATE, Visibility.DIRECT].map((each) =>
    allowedQuotePolicy(PUBLIC, each),
  )
  expect(policies).toEqual([PUBLIC, PUBLIC, NOBODY, NOBODY])
})
