import type { Generated } from 'kysely'

/** A server that this one speaks with where it speaks with listed ones only. */
export type DomainAllowTable = { id: Generated<string>; domain: string; createdAt: Date }
