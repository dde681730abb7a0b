/** A token, or the login of an account, that ended a short while ago. */
export type EndedAccessTable = { kind: 'token' | 'login'; id: string; endedAt: Date }
