import type { Generated } from 'kysely'

export type FilterTable = {
  id: Generated<string>
  account_id: string
  title: string
  contexts: string[]
  action: string
  expires_at: Date | null
}

export type FilterKeywordTable = { id: Generated<string>; filter_id: string; keyword: string; whole_word: boolean }

export type FilterStatusTable = { id: Generated<string>; filter_id: string; status_id: string }

/** What a filter says of itself; expires_at in milliseconds since 1970. */
export type FilterRow = { id: string; title: string; contexts: string[]; action: string; expires_at: number | null }

/** A filter as reading needs it: keywords with whether they are whole words, ids of statuses. */
export type StoredFilter = FilterRow & { keywords: [keyword: string, wholeWord: boolean][]; statuses: string[] }

/** A filter with all its parts, as its owner sees it. */
export type WholeFilter = FilterRow & { keywords: KeywordRow[]; statuses: StatusRow[] }

export type KeywordRow = { id: string; keyword: string; whole_word: boolean }

export type StatusRow = { id: string; status_id: string }
