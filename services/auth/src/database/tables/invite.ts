/** An invitation link. */
export type InviteTable = {
  id: string
  code: string
  /** The owner. */
  accountId: string
  /** Null for no limit. */
  maxUses: number | null
  uses: number
  /** The end of its validity; null for none. For one that was ended or used up, when that happened. */
  goodUntil: Date | null
  /** Whether accounts that sign up by it follow the owner. */
  autofollow: boolean
  createdAt: Date
}

/** An account that signed up by an invitation, as long as both accounts exist. */
export type InviteeTable = {
  accountId: string
  inviterId: string
  inviteId: string
  /** Whether the follow of the inviter is still due. */
  isFollowDue: boolean
}
