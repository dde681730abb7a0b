import type { Generated } from 'kysely'

/** A generated key of this server. */
export type ServerKeyTable = { name: string; value: Buffer; createdAt: Generated<Date> }
