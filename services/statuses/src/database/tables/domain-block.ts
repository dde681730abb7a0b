import type { Generated } from 'kysely'

export type DomainBlockTable = { id: Generated<string>; accountId: string; domain: string; createdAt: Date }

/** The staff's limits on a domain and its subdomains. */
export type DomainLimitTable = { domain: string; isSilenced: boolean; isSuspended: boolean; rejectsMedia: boolean }
