/** A token, or the login of an account, that ended recently. */
export type EndedAccessTable = { kind: 'token' | 'login'; id: string; endedAt: Date }
