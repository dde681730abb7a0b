import type { Generated } from 'kysely'

export type DomainBlockTable = { id: Generated<string>; account_id: string; domain: string; created_at: Date }
