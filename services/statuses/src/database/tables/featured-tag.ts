import type { Generated } from 'kysely'

/** name is that of the tag, normalised; display is what its owner typed. */
export type FeaturedTagTable = { id: Generated<string>; accountId: string; name: string; display: string; createdAt: Date }
