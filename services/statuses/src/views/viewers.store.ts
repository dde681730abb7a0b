import { prepared } from '@rookery/database'
import { sql } from 'kysely'
import { accountsMutingThread, isUnrestrictedAccount, tieColumns, viewersKeptFrom } from '../audience/index.ts'

type Viewers = { viewerIds: readonly string[] }

/** The viewers with filters, with the versions of their contexts. */
type Filtering = [accountId: string, contextVersion: number][]

const filtering = ({ viewerIds }: Viewers) => sql`coalesce((select json_agg(json_build_array(id::text, context_version)) from account
    where id in (select account_id from filter where account_id = any(${viewerIds}::bigint[]))), '[]') filtering`

/** Viewer ids by their relationship to a status. */
export type ViewerFlagsRow = {
  favourited: string[]
  reblogged: string[]
  bookmarked: string[]
  followers: string[]
  mentioned: string[]
  pinned: string[]
  votes: [accountId: string, choices: number[]][]
  muted: string[]
  filtering: Filtering
  /** Those for whom a block or mute hides one of the authors. */
  unwilling: string[]
}

type FlagsWanted = Viewers & {
  statusId: string
  /** The boosted status, or the status itself. */
  targetId: string
  authorId: string
  /** Followers are read for private statuses, and those of silenced authors, only. */
  needsFollowers: boolean
  authorIds: readonly string[]
  now: Date
}

/**
 * Of the viewers, those who favourited, boosted, bookmarked or pinned the target, follow the author, are mentioned, muted the thread, or have
 * filters; their votes in its poll; and those for whom a block or mute hides one of the authors.
 */
export const readViewerFlags = prepared('views.viewer-flags', (given: FlagsWanted) => {
  const viewers = sql`any(${given.viewerIds}::bigint[])`
  const target = sql.val(given.targetId)
  return sql<ViewerFlagsRow>`
    select array(select account_id from favourite where status_id = ${target} and account_id = ${viewers}) favourited,
      array(select author_id from status_head where reblog_of_id = ${target} and author_id = ${viewers}) reblogged,
      array(select account_id from bookmark where status_id = ${target} and account_id = ${viewers}) bookmarked,
      array(select account_id from follow where ${given.needsFollowers} and target_id = ${given.authorId} and account_id = ${viewers}) followers,
      array(select account_id from mention where status_id = ${given.statusId} and account_id = ${viewers}) mentioned,
      array(select account_id from pin where status_id = ${target}) pinned,
      coalesce((select json_agg(json_build_array(account_id::text, choices))
        from poll_vote where status_id = ${target} and account_id = ${viewers}), '[]') votes,
      array(${accountsMutingThread(sql.val(given.viewerIds), sql`(select thread_id from status_head where id = ${target})`)}) muted,
      ${filtering(given)},
      ${viewersKeptFrom(sql.val(given.authorIds), sql.val(given.viewerIds), sql.val(given.now))} unwilling`
})

/** The viewers for whom a block or mute hides the author, and those with filters; and whether the author is on public timelines at all. */
type ListenersRow = Pick<ViewerFlagsRow, 'unwilling' | 'filtering'> & { isOpen: boolean }

/** What decides who may see a status on public streams. */
export const readListeners = prepared(
  'views.listeners',
  (given: Viewers & { authorId: string; now: Date }) => sql<ListenersRow>`
    select ${viewersKeptFrom(sql`array[${given.authorId}]`, sql.val(given.viewerIds), sql.val(given.now))} unwilling, ${filtering(given)},
      ${isUnrestrictedAccount('author.id')} is_open
    from (select ${given.authorId}::bigint id) author`,
)

type Pairs = [viewerId: string, otherId: string][]

/** Pairs of a viewer and an author, a domain of one, or a quoted status; votes in the polls of quoted statuses; and the viewers with filters. */
export type QuoteTiesRow = Record<
  | 'followed'
  | 'mentioned'
  | 'blocking'
  | 'blockedBy'
  | 'muted'
  | 'blockedDomains'
  | 'favourited'
  | 'reblogged'
  | 'bookmarked'
  | 'pinned'
  | 'threadMuted',
  Pairs
> & { votes: [viewerId: string, statusId: string, choices: number[]][]; filtering: Filtering }

/** The viewers' relationships to quoted statuses, and to the authors for whom a follow decides who may quote. */
export const readQuoteTies = prepared(
  'views.quote-ties',
  (given: Viewers & { authorIds: readonly string[]; statusIds: readonly string[]; now: Date }) => {
    const [viewers, statuses] = [sql`${given.viewerIds}::bigint[]`, sql`${given.statusIds}::bigint[]`]
    const pairs = (viewer: string, other: string, from: ReturnType<typeof sql>) =>
      sql`coalesce((select json_agg(json_build_array(${sql.raw(viewer)}::text, ${sql.raw(other)}::text)) ${from}), '[]')`
    return sql<QuoteTiesRow>`
    select ${tieColumns({ viewers, statuses, authors: sql`${given.authorIds}::bigint[]`, now: sql.val(given.now) })},
      ${pairs('account_id', 'status_id', sql`from favourite where status_id = any(${statuses}) and account_id = any(${viewers})`)} favourited,
      ${pairs('author_id', 'reblog_of_id', sql`from status_head where reblog_of_id = any(${statuses}) and author_id = any(${viewers})`)} reblogged,
      ${pairs('account_id', 'status_id', sql`from bookmark where status_id = any(${statuses}) and account_id = any(${viewers})`)} bookmarked,
      ${pairs('account_id', 'status_id', sql`from pin where status_id = any(${statuses}) and account_id = any(${viewers})`)} pinned,
      coalesce((select json_agg(json_build_array(account_id::text, status_id::text, choices))
        from poll_vote where status_id = any(${statuses}) and account_id = any(${viewers})), '[]') votes,
      ${filtering(given)},
      ${pairs(
        'm.account_id',
        'h.id',
        sql`from status_head h cross join lateral (
        ${accountsMutingThread(viewers, 'h.thread_id')} offset 0) m where h.id = any(${statuses})`,
      )} thread_muted`
  },
)
