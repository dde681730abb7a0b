import type { Generated } from 'kysely'

/** A key of this server that no setting gives. */
export type ServerKeyTable = { name: string; value: Buffer; createdAt: Generated<Date> }
