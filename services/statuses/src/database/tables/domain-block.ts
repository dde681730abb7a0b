import type { Generated } from 'kysely'

export type DomainBlockTable = { id: Generated<string>; accountId: string; domain: string; createdAt: Date }

/** What staff decided of a domain and those below it. */
export type DomainLimitTable = { domain: string; isSilenced: boolean; isSuspended: boolean; rejectsMedia: boolean }
