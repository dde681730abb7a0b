import type { Generated } from 'kysely'

/** Which replies of members a list shows: to anyone its owner follows, to members, or none. */
export type RepliesPolicy = 'followed' | 'list' | 'none'

export type ListTable = {
  id: Generated<string>
  accountId: string
  title: string
  repliesPolicy: RepliesPolicy
  isExclusive: boolean
  createdAt: Date
}

/** account_id is the member. */
export type ListMemberTable = { id: Generated<string>; listId: string; accountId: string }
