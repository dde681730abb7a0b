import { builderOf } from '@rookery/database'
import type { AuthTables } from './schema.ts'

/** The query builder for this service's prepared statements. */
export const query = builderOf<AuthTables>()
