import type { Generated } from 'kysely'

/** name is that of the tag, normalised. */
export type TagFollowTable = { id: Generated<string>; account_id: string; name: string; created_at: Date }
