/** An exported CSV file: its name and its header; without a header where other servers write none. */
export type CsvFile = { kind: string; file: string; columns: readonly string[] }

/** The files of an export, with the names and columns that other servers read. */
export const CSV_FILES: readonly CsvFile[] = [
  { kind: 'following', file: 'following_accounts.csv', columns: ['Account address', 'Show boosts', 'Notify on new posts', 'Languages'] },
  { kind: 'blocks', file: 'blocked_accounts.csv', columns: [] },
  { kind: 'mutes', file: 'muted_accounts.csv', columns: ['Account address', 'Hide notifications'] },
  { kind: 'lists', file: 'lists.csv', columns: [] },
  { kind: 'bookmarks', file: 'bookmarks.csv', columns: [] },
  { kind: 'domain_blocks', file: 'blocked_domains.csv', columns: [] },
]
