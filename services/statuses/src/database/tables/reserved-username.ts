/** The username of someone who is gone, in lower case: no one gets it again, so that no one is taken for them. */
export type ReservedUsernameTable = { username: string }
