import type { Generated } from 'kysely'

/** name is that of the tag, normalised. */
export type TagFollowTable = { id: Generated<string>; accountId: string; name: string; createdAt: Date }
