import { builderOf } from '@rookery/database'
import type { StatusesTables } from './schema.ts'

/** Builds the queries of this service's prepared statements. */
export const query = builderOf<StatusesTables>()
