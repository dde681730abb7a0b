/** The username of a deleted account, in lower case: it is never given out again, so that no one can impersonate its owner. */
export type ReservedUsernameTable = { username: string }
