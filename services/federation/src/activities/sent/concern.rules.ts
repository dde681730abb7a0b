import type { EventKind, Received } from '@rookery/events'

/** Kinds of events that may cause activities. */
export const KINDS = [
  'statusPublished',
  'statusEdited',
  'statusDeleted',
  'statusQuotingChanged',
  'quoteRevoked',
  'pollCounted',
  'followRequested',
  'followRequestWithdrawn',
  'accountFollowed',
  'accountUnfollowed',
  'followRefused',
  'accountBlocked',
  'accountUnblocked',
  'statusFavourited',
  'statusUnfavourited',
  'pollVoted',
  'profileChanged',
  'statusPinned',
  'statusUnpinned',
  'accountMoved',
  'accountClosed',
  'reportForwarded',
] as const satisfies readonly EventKind[]
export type Kind = (typeof KINDS)[number]

/** The accounts that an event concerns, as far as the event itself names them. */
export type Concern = {
  /** The acting account; if it is remote, nothing is sent. Empty for the server. */
  readonly by: string
  /** The receiving accounts, local ones included. */
  readonly to: readonly string[]
  /** Whether the event goes to the followers of the acting account. */
  readonly toFollowers: boolean
  /** Whether the event has recipients that it does not name. */
  readonly toUnnamed: boolean
  /** Whether the event goes to relays. */
  readonly toRelays: boolean
}

/** The remote accounts that this service knows. */
export type Elsewhere = {
  /** Whether any remote account is known. */
  readonly isAnyoneKnown: boolean
  /** The remote ones among the given accounts. */
  readonly accountIds: readonly string[]
  /** The local accounts with remote followers. */
  readonly followedIds: readonly string[]
  /** Whether there is a relay with an accepted subscription. */
  readonly hasRelays: boolean
}

const concern = (by: string, more: Partial<Concern>): Concern => ({
  by,
  to: [],
  toFollowers: false,
  toUnnamed: false,
  toRelays: false,
  ...more,
})
const between = (by: string, to: string) => concern(by, { to: [to] })
const toFollowers = (by: string) => concern(by, { toFollowers: true })
/**
 * The event does not name the mentions of an edited status, the audience of a quoting status or of a poll, the recipients of a closed account's
 * statuses, or the aliases of a profile.
 */
const toUnnamed = (by: string) => concern(by, { toUnnamed: true, toRelays: true })

/** Whether relays get a status: public ones, but no boosts. */
export const isForRelays = ({ visibility, reblogOfId }: { visibility: string; reblogOfId: string }): boolean =>
  visibility === 'public' && reblogOfId === ''

type Value<K extends Kind> = Extract<Received<K>['event'], { $case: K }>['value']

const CONCERNS: { readonly [K in Kind]: (value: Value<K>) => Concern } = {
  statusPublished: ({ authorId, visibility, mentionedAccountIds, inReplyToAccountId, reblogOfId, reblogOfAuthorId, quotedAuthorId }) =>
    concern(authorId, {
      to: [...mentionedAccountIds, inReplyToAccountId, reblogOfAuthorId, quotedAuthorId ?? ''],
      toFollowers: visibility !== 'direct',
      toRelays: isForRelays({ visibility, reblogOfId }),
    }),
  statusEdited: ({ authorId }) => toUnnamed(authorId),
  statusDeleted: ({ authorId, visibility, reblogOfId, sent }) =>
    concern(authorId, {
      to: sent?.remoteAccountIds ?? [],
      toFollowers: sent !== undefined && visibility !== 'direct',
      toRelays: sent !== undefined && isForRelays({ visibility, reblogOfId }),
    }),
  statusQuotingChanged: ({ authorId }) => toUnnamed(authorId),
  quoteRevoked: ({ authorId, quotedAuthorId }) => concern(quotedAuthorId, { to: [authorId], toUnnamed: true }),
  pollCounted: ({ accountId }) => toUnnamed(accountId),
  followRequested: ({ accountId, targetId }) => between(accountId, targetId),
  followRequestWithdrawn: ({ accountId, targetId }) => between(accountId, targetId),
  accountFollowed: ({ accountId, targetId }) => between(targetId, accountId),
  accountUnfollowed: ({ accountId, targetId }) => between(accountId, targetId),
  followRefused: ({ accountId, targetId }) => between(targetId, accountId),
  accountBlocked: ({ accountId, targetId }) => between(accountId, targetId),
  accountUnblocked: ({ accountId, targetId }) => between(accountId, targetId),
  statusFavourited: ({ accountId, authorId }) => between(accountId, authorId),
  statusUnfavourited: ({ accountId, authorId }) => between(accountId, authorId),
  pollVoted: ({ accountId, authorId }) => between(accountId, authorId),
  profileChanged: ({ accountId }) => toUnnamed(accountId),
  statusPinned: ({ accountId }) => toFollowers(accountId),
  statusUnpinned: ({ accountId }) => toFollowers(accountId),
  accountMoved: ({ accountId }) => toFollowers(accountId),
  accountClosed: ({ accountId }) => toUnnamed(accountId),
  reportForwarded: ({ targetId }) => between('', targetId),
}

/** The accounts that an event concerns. */
export const concernOf = (event: Received<Kind>['event']): Concern => (CONCERNS[event.$case] as (value: unknown) => Concern)(event.value)

/** Whether an event may concern remote accounts: false positives are possible, false negatives are not. */
export const isConcerned = ({ by, to, ...concern }: Concern, elsewhere: Elsewhere): boolean => {
  if (elsewhere.accountIds.includes(by)) return false
  return (
    to.some((id) => elsewhere.accountIds.includes(id)) ||
    (concern.toFollowers && elsewhere.followedIds.includes(by)) ||
    (concern.toUnnamed && elsewhere.isAnyoneKnown) ||
    (concern.toRelays && elsewhere.hasRelays)
  )
}
