import type { Generated } from 'kysely'

/** A follow, or a request to. */
export type FollowTable = {
  id: Generated<string>
  account_id: string
  target_id: string
  reblogs: boolean
  notify: boolean
  languages: string[] | null
  created_at: Date
}

export type BlockTable = { id: Generated<string>; account_id: string; target_id: string; created_at: Date }

export type MuteTable = BlockTable & { notifications: boolean; expires_at: Date | null }

export type AccountNoteTable = { account_id: string; target_id: string; comment: string }

export type EndorsementTable = BlockTable
