import type { Generated } from 'kysely'

export type FilterTable = {
  id: Generated<string>
  accountId: string
  title: string
  contexts: string[]
  action: string
  expiresAt: Date | null
}

export type FilterKeywordTable = { id: Generated<string>; filterId: string; keyword: string; wholeWord: boolean }

export type FilterStatusTable = { id: Generated<string>; filterId: string; statusId: string }

/** A filter without its keywords and statuses; expires_at in milliseconds since 1970. */
export type FilterRow = { id: string; title: string; contexts: string[]; action: string; expiresAt: number | null }

/** A filter as compiled for reading: keywords with their whole-word flag, ids of statuses. */
export type StoredFilter = FilterRow & { keywords: [keyword: string, wholeWord: boolean][]; statuses: string[] }

/** A filter with all its parts, as its owner sees it. */
export type WholeFilter = FilterRow & { keywords: KeywordRow[]; statuses: StatusRow[] }

export type KeywordRow = { id: string; keyword: string; wholeWord: boolean }

export type StatusRow = { id: string; statusId: string }
