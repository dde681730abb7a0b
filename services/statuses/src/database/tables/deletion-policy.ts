/** The automatic deletion of an account's old statuses. */
export type DeletionPolicyTable = {
  accountId: string
  isOn: boolean
  days: number
  keepDirect: boolean
  keepPinned: boolean
  keepPolls: boolean
  keepMedia: boolean
  keepFavourited: boolean
  keepBookmarked: boolean
  minFavourites: number | null
  minBoosts: number | null
  /** Statuses up to this id were looked at since the search began again. */
  afterId: string
  /** When the statuses are looked at next. */
  dueAt: Date
}
