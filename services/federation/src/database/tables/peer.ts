import type { Generated } from 'kysely'

/** A server known to this one. */
export type PeerTable = { domain: string; firstSeenAt: Generated<Date> }
