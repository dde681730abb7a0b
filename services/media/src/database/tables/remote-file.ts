import type { Generated } from 'kysely'

/** A file of another server, cached or recently failed. */
export type RemoteFileTable = {
  /** The signature in its URL here: one for each purpose, domain and url. */
  digest: string
  purpose: 'original' | 'preview' | 'avatar' | 'header' | 'emoji'
  /** The domain of the account that shows it, as in their handle. */
  domain: string
  url: string
  originalKey: string | null
  /** For an animation, its still version. */
  stillKey: string | null
  /** Whether its files are stored: a process that dies in between leaves a record whose keys mean nothing. */
  isKept: Generated<boolean>
  bytes: Generated<number>
  /** How many fetches failed in a row. */
  failures: Generated<number>
  /** When it was last requested, to the day. */
  askedAt: Date
  /** When a failed fetch may be retried. */
  retryAt: Date | null
}

/** A decision of staff on a domain and its subdomains. */
export type RemoteDomainTable = { domain: string; isRejected: boolean }

/** A host that files are fetched from. */
export type RemoteHostTable = {
  host: string
  failures: Generated<number>
  restsUntil: Date | null
  /** The start of the hour whose bytes are counted. */
  hour: Date
  bytes: Generated<number>
}

/** Generated keys, by name: `addresses`. */
export type ServerKeyTable = { name: string; value: Buffer }
