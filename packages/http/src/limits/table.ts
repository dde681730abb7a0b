/**
 * A rate limit over a fixed window, and what it counts by: the caller's address, an account, an e-mail address, or the host of another
 * server.
 */
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

/** All rate limits of the server (spec, Limits; beyond-the-spec 1.5). All services count in the same store by these names. */
export const RATE_LIMITS = {
  /** All requests of an address or an account, to any endpoint, page or stream. */
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
  /** Wrong or expired invitation codes. */
  inviteCodes: { name: 'invite-codes', max: 25, windowSeconds: FIVE_MINUTES, by: 'address' },
  /** POST /api/v1/apps. */
  apps: { name: 'apps', max: 5, windowSeconds: TEN_MINUTES, by: 'address' },
  /** Wrong client secrets, authorization codes and links from mails. */
  credentials: { name: 'credentials', max: 25, windowSeconds: FIVE_MINUTES, by: 'address' },
  /** Wrong bearer tokens. Programs whose token was revoked send many, and their users must still be able to sign in. */
  tokens: { name: 'tokens', max: 25, windowSeconds: FIVE_MINUTES, by: 'address' },
  /** Sign-in attempts, right or wrong. */
  signIns: { name: 'sign-ins', max: 25, windowSeconds: FIVE_MINUTES, by: 'address' },
  /** Passwords tried for one login, on any form. */
  passwords: { name: 'passwords', max: 10, windowSeconds: FIVE_MINUTES, by: 'account' },
  /** Codes of second factors tried for one login, recovery codes included, on any form. */
  codes: { name: 'codes', max: 10, windowSeconds: HOUR, by: 'account' },
  wrongCodeMails: { name: 'wrong-code-mails', max: 1, windowSeconds: HOUR, by: 'account' },
  /** Passwords tried for a name or an e-mail address without a login. */
  unknownLogins: { name: 'unknown-logins', max: 10, windowSeconds: FIVE_MINUTES, by: 'email' },
  /** Password resets. */
  resets: { name: 'resets', max: 25, windowSeconds: FIVE_MINUTES, by: 'address' },
  resetsOfEmail: { name: 'resets-of-email', max: 5, windowSeconds: HALF_HOUR, by: 'email' },
  /** Confirmation mails. */
  confirmations: { name: 'confirmations', max: 3, windowSeconds: HALF_HOUR, by: 'account' },
  archives: { name: 'archives', max: 10, windowSeconds: HOUR, by: 'account' },
  imports: { name: 'imports', max: 10, windowSeconds: HOUR, by: 'account' },
  /** Activities of one other server with valid signatures. */
  inbox: { name: 'inbox', max: 90_000, windowSeconds: FIVE_MINUTES, by: 'host' },
  /** Requests of other servers with invalid signatures. */
  signatures: { name: 'signatures', max: 300, windowSeconds: FIVE_MINUTES, by: 'address' },
  /**
   * Requests that claim to be signed, instead of the limit by address: all but activities, and activities that are ignored before their
   * signatures are checked, or refused for another reason.
   */
  signedRequests: { name: 'signed-requests', max: 3000, windowSeconds: FIVE_MINUTES, by: 'address' },
  /** Look-ups by an account of people and statuses on other servers. */
  lookups: { name: 'lookups', max: 60, windowSeconds: FIVE_MINUTES, by: 'account' },
  /** The same for the lines of imported files, which wait in a queue. */
  importedLookups: { name: 'imported-lookups', max: 300, windowSeconds: FIVE_MINUTES, by: 'account' },
  /** Threads whose replies were fetched from other servers for an account. */
  threads: { name: 'threads', max: 60, windowSeconds: FIVE_MINUTES, by: 'account' },
} as const satisfies Record<string, RateLimit>

/** The name of a limit in the table. */
export type LimitName = keyof typeof RATE_LIMITS
