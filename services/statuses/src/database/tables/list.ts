import type { Generated } from 'kysely'

/** Replies of members that a list shows: to anyone its owner follows, to members, or none. */
export type RepliesPolicy = 'followed' | 'list' | 'none'

export type ListTable = {
  id: Generated<string>
  account_id: string
  title: string
  replies_policy: RepliesPolicy
  is_exclusive: boolean
  created_at: Date
}

/** account_id is the member. */
export type ListMemberTable = { id: Generated<string>; list_id: string; account_id: string }
