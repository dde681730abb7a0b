import type { Generated } from 'kysely'

/** A server this one has heard of. */
export type PeerTable = { domain: string; firstSeenAt: Generated<Date> }
