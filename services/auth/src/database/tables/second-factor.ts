/** A second factor that is turned on. */
export type SecondFactorTable = {
  accountId: string
  /** The secret shared with the authenticator app, encrypted. */
  secret: Buffer
  /** The last interval, in the count of RFC 6238, whose code was taken. */
  lastStep: string
  enabledAt: Date
}

/** A recovery code that was not used yet. */
export type RecoveryCodeTable = { accountId: string; digest: Buffer }
