/** A second factor that is on. */
export type SecondFactorTable = {
  accountId: string
  /** The secret shared with the authenticator app, encrypted. */
  secret: Buffer
  /** The time step (RFC 6238) of the last used code. */
  lastStep: string
  enabledAt: Date
}

/** An unused recovery code. */
export type RecoveryCodeTable = { accountId: string; digest: Buffer }
