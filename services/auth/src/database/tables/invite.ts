/** A link by which people sign up. */
export type InviteTable = {
  id: string
  code: string
  /** Whose it is. */
  accountId: string
  /** Null for no limit. */
  maxUses: number | null
  uses: number
  /** Null where it is good without an end. Of one that was ended or used up, since when it is over. */
  goodUntil: Date | null
  /** Whether those who sign up by it follow whose it is. */
  autofollow: boolean
  createdAt: Date
}

/** Who signed up by an invitation of whom, as long as both are there. */
export type InviteeTable = {
  accountId: string
  inviterId: string
  inviteId: string
  /** Whether they have yet to follow. */
  isFollowDue: boolean
}
