/** The username of somebody who is gone, in lower case: nobody gets it again, so that nobody is taken for them. */
export type ReservedUsernameTable = { username: string }
