import type { Generated } from 'kysely'

/** A follow, or a request to. */
export type FollowTable = {
  id: Generated<string>
  accountId: string
  targetId: string
  reblogs: boolean
  notify: boolean
  languages: string[] | null
  createdAt: Date
}

export type BlockTable = { id: Generated<string>; accountId: string; targetId: string; createdAt: Date }

export type MuteTable = BlockTable & { notifications: boolean; expiresAt: Date | null }

export type AccountNoteTable = { accountId: string; targetId: string; comment: string }

export type EndorsementTable = BlockTable
