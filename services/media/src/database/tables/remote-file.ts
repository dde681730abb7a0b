import type { Generated } from 'kysely'

/** A file of another server, or that it could not be had lately. */
export type RemoteFileTable = {
  /** What its address here is signed with: one for each purpose, domain and url. */
  digest: string
  purpose: 'original' | 'preview' | 'avatar' | 'header' | 'emoji'
  /** Of the person who shows it, as in their handle. */
  domain: string
  url: string
  originalKey: string | null
  /** Of what moves, the same as a still picture. */
  stillKey: string | null
  /** Whether its files are in the storage: a process that died in between leaves a record whose keys mean nothing. */
  isKept: Generated<boolean>
  bytes: Generated<number>
  /** How often in a row it could not be had. */
  failures: Generated<number>
  /** When someone last asked for it, to the day. */
  askedAt: Date
  /** Until when its server is not asked again. */
  retryAt: Date | null
}

/** What staff decided of a domain and those below it. */
export type RemoteDomainTable = { domain: string; isRejected: boolean }

/** A host that files come from. */
export type RemoteHostTable = {
  host: string
  failures: Generated<number>
  restsUntil: Date | null
  /** When the hour began whose bytes are counted. */
  hour: Date
  bytes: Generated<number>
}

/** Keys that no setting gives, by name: `addresses`. */
export type ServerKeyTable = { name: string; value: Buffer }
