import type { ColumnType, Generated } from 'kysely'

export type PollTable = {
  status_id: string
  expires_at: Date
  is_multiple: boolean
  hides_totals: boolean
  options: string[]
  votes: number[]
  voters: Generated<number>
  closed_at: ColumnType<Date | null, Date | null | undefined, Date | null>
}

export type PollVoteTable = { status_id: string; account_id: string; choices: number[]; created_at: Date }

/** A poll as pages load it with its status; expires_at in milliseconds since 1970. */
export type StoredPoll = {
  expires_at: number
  is_multiple: boolean
  hides_totals: boolean
  options: string[]
  votes: number[]
  voters: number
}
