import type { Generated } from 'kysely'

export type DomainBlockTable = { id: Generated<string>; accountId: string; domain: string; createdAt: Date }
