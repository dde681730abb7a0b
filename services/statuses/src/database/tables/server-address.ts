import type { Generated } from 'kysely'

/** The base URL that people of this server have their handles and ids at; one row. */
export type ServerAddressTable = { id: Generated<number>; baseUrl: string }
