import type { Generated } from 'kysely'

/** An account's day to count again; days since 1970. */
export type PendingUseTable = { accountId: string; day: number }

/** Trends besides statuses: a tag by its name, or a page by its digest. */
export type UsedKind = 'tag' | 'link'

type Used = { kind: UsedKind; key: string }

export type TrendUseTable = Used & { accountId: string; day: number; uses: number }

export type TrendDayTable = Used & { day: number; uses: number; accounts: number }

export type TrendTable = Used & {
  id: Generated<string>
  /** The highest recent score, and when it was reached. */
  peak: number | null
  peakedAt: Date | null
  rank: number | null
  /** Null until a moderator decides. */
  isApproved: boolean | null
}

/** A site whose links trended. */
export type PublisherTable = {
  id: Generated<string>
  domain: string
  requestedAt: Date
  /** Null until a moderator decides. */
  isApproved: boolean | null
  reviewedAt: Date | null
}

export type StatusTrendTable = { statusId: string; rank: number | null; isApproved: boolean | null }

export type TrendProgressTable = { source: string; settledId: string; latestId: string; latestAt: Date }

/** Favourites by local people on a day, in days since 1970. */
export type FavouriteDayTable = { day: number; favourites: string }
