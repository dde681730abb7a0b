import type { Filter, FilterStatus, KeywordOfFilter } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import type { StatusesTables } from '../../database/schema.ts'
import { filterMessage, keywordOfFilterMessage, statusMessage } from './filter.message.ts'
import { FilterReader, type OwnedPart } from './filter.store.ts'

type Deps = { database: Database<StatusesTables> }

/** An account's filters, including expired ones, oldest first (spec, GET /api/v2/filters). */
export const listFilters =
  ({ database }: Deps) =>
  async (accountId: string): Promise<Filter[]> =>
    (await new FilterReader(database.db).list(accountId)).map(filterMessage)

/** One filter (spec, GET /api/v2/filters/:id). @throws Failure not_found */
export const readFilter =
  ({ database }: Deps) =>
  async (part: OwnedPart): Promise<Filter> =>
    filterMessage(orNotFound(await new FilterReader(database.db).filter(part), `filter ${part.id} is not ${part.accountId}'s`))

/** One keyword and its filter (spec, GET /api/v2/filters/keywords/:id and GET /api/v1/filters/:id). @throws Failure not_found */
export const readKeyword =
  ({ database }: Deps) =>
  async (part: OwnedPart): Promise<KeywordOfFilter> =>
    keywordOfFilterMessage(orNotFound(await new FilterReader(database.db).keyword(part), `keyword ${part.id} is not ${part.accountId}'s`))

/** One status of a filter (spec, GET /api/v2/filters/statuses/:id). @throws Failure not_found */
export const readFilterStatus =
  ({ database }: Deps) =>
  async (part: OwnedPart): Promise<FilterStatus> =>
    statusMessage(orNotFound(await new FilterReader(database.db).status(part), `entry ${part.id} is not ${part.accountId}'s`))
