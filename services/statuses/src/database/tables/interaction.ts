import type { Generated } from 'kysely'

/** A favourite or a bookmark. */
export type InteractionTable = { id: Generated<string>; account_id: string; status_id: string }
