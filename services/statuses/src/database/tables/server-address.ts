import type { Generated } from 'kysely'

/** The base URL in the handles and ids of local people; one row. */
export type ServerAddressTable = { id: Generated<number>; baseUrl: string }
