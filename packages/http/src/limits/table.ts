/** How often something may happen within a fixed window, and what is counted by: the caller's address, an account, an e-mail address, or the host of another server. */
export type RateLimit = {
  readonly name: string
  readonly max: number
  readonly windowSeconds: number
  readonly by: 'address' | 'account' | 'email' | 'host'
}

const FIVE_MINUTES = 300
const TEN_MINUTES = 600
const HALF_HOUR = 1800
const HOUR = 3600

/** Every rate limit of the server (spec, Limits; beyond-the-spec 1.5). All services count in the same store by these names. */
export const RATE_LIMITS = {
  /** Every request of an address or of an account, to any endpoint, page or stream. */
  address: { name: 'address', max: 300, windowSeconds: FIVE_MINUTES, by: 'address' },
  account: { name: 'account', max: 300, windowSeconds: FIVE_MINUTES, by: 'account' },
  /** POST /api/v1/media and /api/v2/media. */
  media: { name: 'media', max: 30, windowSeconds: HALF_HOUR, by: 'account' },
  /** DELETE of a status and unreblog, together. */
  deletions: { name: 'deletions', max: 30, windowSeconds: HALF_HOUR, by: 'account' },
  /** Sign-ups by the API and by the pages, together. */
  registrations: { name: 'registrations', max: 5, windowSeconds: HALF_HOUR, by: 'address' },
  /** Invitations made by an account. */
  invites: { name: 'invites', max: 30, windowSeconds: HOUR, by: 'account' },
  /** Codes of invitations that turn out to be wrong, or over. */
  inviteCodes: { name: 'invite-codes', max: 25, windowSeconds: FIVE_MINUTES, by: 'address' },
  /** POST /api/v1/apps. */
  apps: { name: 'apps', max: 5, windowSeconds: TEN_MINUTES, by: 'address' },
  /** Client secrets, authorization codes and links from mail that turn out to be wrong. */
  credentials: { name: 'credentials', max: 25, windowSeconds: FIVE_MINUTES, by: 'address' },
  /** Bearer tokens that turn out to be wrong. Programs whose token was revoked send many; their users must be able to sign in again. */
  tokens: { name: 'tokens', max: 25, windowSeconds: FIVE_MINUTES, by: 'address' },
  /** Attempts to sign in, right or wrong. */
  signIns: { name: 'sign-ins', max: 25, windowSeconds: FIVE_MINUTES, by: 'address' },
  /** Passwords tried for one login, wherever a password is asked for. */
  passwords: { name: 'passwords', max: 10, windowSeconds: FIVE_MINUTES, by: 'account' },
  /** Codes of second factors tried for one login, recovery codes included, wherever one is asked for. */
  codes: { name: 'codes', max: 10, windowSeconds: HOUR, by: 'account' },
  wrongCodeMails: { name: 'wrong-code-mails', max: 1, windowSeconds: HOUR, by: 'account' },
  /** Passwords tried for a name or an e-mail address that no login has. */
  unknownLogins: { name: 'unknown-logins', max: 10, windowSeconds: FIVE_MINUTES, by: 'email' },
  /** Links for a new password. */
  resets: { name: 'resets', max: 25, windowSeconds: FIVE_MINUTES, by: 'address' },
  resetsOfEmail: { name: 'resets-of-email', max: 5, windowSeconds: HALF_HOUR, by: 'email' },
  /** Mails that confirm an address. */
  confirmations: { name: 'confirmations', max: 3, windowSeconds: HALF_HOUR, by: 'account' },
  archives: { name: 'archives', max: 10, windowSeconds: HOUR, by: 'account' },
  imports: { name: 'imports', max: 10, windowSeconds: HOUR, by: 'account' },
  /** Activities of one other server whose signatures are right. */
  inbox: { name: 'inbox', max: 90_000, windowSeconds: FIVE_MINUTES, by: 'host' },
  /** Requests of other servers whose signatures turn out to be wrong. */
  signatures: { name: 'signatures', max: 300, windowSeconds: FIVE_MINUTES, by: 'address' },
  /**
   * Requests that say they are signed, in place of the limit of an address: all but activities, and activities that are passed over before
   * their signatures are checked, or refused for another reason.
   */
  signedRequests: { name: 'signed-requests', max: 3000, windowSeconds: FIVE_MINUTES, by: 'address' },
  /** People and statuses of other servers that an account has looked up there. */
  lookups: { name: 'lookups', max: 60, windowSeconds: FIVE_MINUTES, by: 'account' },
  /** The same for lines of files that an account sent, which wait for their turn. */
  importedLookups: { name: 'imported-lookups', max: 300, windowSeconds: FIVE_MINUTES, by: 'account' },
  /** Threads of other servers whose replies an account has had fetched. */
  threads: { name: 'threads', max: 60, windowSeconds: FIVE_MINUTES, by: 'account' },
} as const satisfies Record<string, RateLimit>

/** The name of a limit in the table. */
export type LimitName = keyof typeof RATE_LIMITS
