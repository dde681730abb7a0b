import type { ColumnType, Generated } from 'kysely'

export type PollTable = {
  statusId: string
  expiresAt: Date
  isMultiple: boolean
  hidesTotals: boolean
  options: string[]
  votes: number[]
  voters: Generated<number>
  closedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
}

export type PollVoteTable = { statusId: string; accountId: string; choices: number[]; createdAt: Date }

/** A poll as pages load it with its status; expires_at in milliseconds since 1970. */
export type StoredPoll = {
  expiresAt: number
  isMultiple: boolean
  hidesTotals: boolean
  options: string[]
  votes: number[]
  voters: number
}
