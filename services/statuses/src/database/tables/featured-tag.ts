import type { Generated } from 'kysely'

/** name is that of the tag, normalised; display is what its owner typed. */
export type FeaturedTagTable = { id: Generated<string>; account_id: string; name: string; display: string; created_at: Date }
