/** A thread muted by an account. */
export type ThreadMuteTable = { accountId: string; threadId: string }
