/** Someone wants to hear no more of a thread. */
export type ThreadMuteTable = { accountId: string; threadId: string }
