import type { Generated } from 'kysely'

/** A status at the top of its author's profile. */
export type PinTable = { id: Generated<string>; account_id: string; status_id: string }
