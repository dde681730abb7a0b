import type { Generated } from 'kysely'

/** A favourite or a bookmark. */
export type InteractionTable = { id: Generated<string>; accountId: string; statusId: string }
