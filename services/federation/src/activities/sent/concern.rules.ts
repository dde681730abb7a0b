import type { EventKind, Received } from '@rookery/events'

/** What may leave. */
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

/** Whom an event concerns, as far as it says itself. */
export type Concern = {
  /** Who says it; nothing leaves of those who are elsewhere themselves. Empty for the server. */
  readonly by: string
  /** Accounts it goes to, where they are elsewhere. */
  readonly to: readonly string[]
  /** It goes to the followers of who says it. */
  readonly toFollowers: boolean
  /** The event does not name all whom it goes to. */
  readonly toUnnamed: boolean
}

/** Who is elsewhere, as this service knows. */
export type Elsewhere = {
  /** Whether anyone is. */
  readonly isAnyoneKnown: boolean
  /** Those of the accounts who are. */
  readonly accountIds: readonly string[]
  /** People here whom someone elsewhere follows. */
  readonly followedIds: readonly string[]
}

const concern = (by: string, more: Partial<Concern>): Concern => ({ by, to: [], toFollowers: false, toUnnamed: false, ...more })
const between = (by: string, to: string) => concern(by, { to: [to] })
const toFollowers = (by: string) => concern(by, { toFollowers: true })
/** The event does not say whom an edited status mentions, who has a poll or anything of a closed account, or which aliases a profile names. */
const toUnnamed = (by: string) => concern(by, { toUnnamed: true })

type Value<K extends Kind> = Extract<Received<K>['event'], { $case: K }>['value']

const CONCERNS: { readonly [K in Kind]: (value: Value<K>) => Concern } = {
  statusPublished: ({ authorId, visibility, mentionedAccountIds, inReplyToAccountId, reblogOfAuthorId, quotedAuthorId }) =>
    concern(authorId, {
      to: [...mentionedAccountIds, inReplyToAccountId, reblogOfAuthorId, quotedAuthorId ?? ''],
      toFollowers: visibility !== 'direct',
    }),
  statusEdited: ({ authorId }) => toUnnamed(authorId),
  statusDeleted: ({ authorId, visibility, sent }) =>
    concern(authorId, { to: sent?.remoteAccountIds ?? [], toFollowers: sent !== undefined && visibility !== 'direct' }),
  statusQuotingChanged: ({ authorId }) => toUnnamed(authorId),
  quoteRevoked: ({ authorId, quotedAuthorId }) => concern(quotedAuthorId, { to: [authorId], toFollowers: true }),
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

/** Whether an event may concern anyone elsewhere: more than it does in the end, never less. */
export const isConcerned = ({ by, to, ...concern }: Concern, elsewhere: Elsewhere): boolean => {
  if (elsewhere.accountIds.includes(by)) return false
  return (
    to.some((id) => elsewhere.accountIds.includes(id)) ||
    (concern.toFollowers && elsewhere.followedIds.includes(by)) ||
    (concern.toUnnamed && elsewhere.isAnyoneKnown)
  )
}
