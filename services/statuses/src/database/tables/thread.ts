/** Somebody wants to hear no more of a thread. */
export type ThreadMuteTable = { account_id: string; thread_id: string }
