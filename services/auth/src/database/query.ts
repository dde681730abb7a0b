import { builderOf } from '@rookery/database'
import type { AuthTables } from './schema.ts'

/** Builds the queries of this service's prepared statements. */
export const query = builderOf<AuthTables>()
