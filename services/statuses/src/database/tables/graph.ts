import type { Generated } from 'kysely'

/** A request to follow. */
export type FollowRequestTable = {
  id: Generated<string>
  accountId: string
  targetId: string
  reblogs: boolean
  notify: boolean
  languages: string[] | null
  createdAt: Date
}

/** is_local: the follower is of this server. */
export type FollowTable = FollowRequestTable & { isLocal: Generated<boolean> }

export type BlockTable = { id: Generated<string>; accountId: string; targetId: string; createdAt: Date }

export type MuteTable = BlockTable & { notifications: boolean; expiresAt: Date | null }

export type AccountNoteTable = { accountId: string; targetId: string; comment: string }

export type EndorsementTable = BlockTable
