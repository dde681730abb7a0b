import type { Generated } from 'kysely'

/** A server on the allow-list, used in allowlist mode only. */
export type DomainAllowTable = { id: Generated<string>; domain: string; createdAt: Date }
