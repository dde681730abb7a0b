import type { Generated } from 'kysely'

/** A status at the top of its author's profile. */
export type PinTable = { id: Generated<string>; accountId: string; statusId: string }
