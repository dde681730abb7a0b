import type { ColumnType, Generated } from 'kysely'

export type PollTable = {
  statusId: string
  /** Null if it does not end; local polls always end. */
  expiresAt: Date | null
  isMultiple: boolean
  hidesTotals: boolean
  options: string[]
  votes: number[]
  voters: Generated<number>
  closedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
}

export type PollVoteTable = { statusId: string; accountId: string; choices: number[]; createdAt: Date }

/** A poll as pages load it with its status; expires_at in milliseconds since 1970, null for a poll that does not end. */
export type StoredPoll = {
  expiresAt: number | null
  isMultiple: boolean
  hidesTotals: boolean
  options: string[]
  votes: number[]
  voters: number
}
