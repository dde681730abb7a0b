import type { AccountPage, List, ReadListsRequest } from '@rookery/contracts/statuses'
import type { Database, Page } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import type { OwnedList } from './list.store.ts'
import { readListRow, readListRows, readListRowsHolding, readMembers } from './list-pages.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views }

/** One list. @throws Failure not_found if it is another's (spec, Errors 6) */
export const readList =
  ({ database }: Pick<Deps, 'database'>) =>
  async (list: OwnedList): Promise<List> =>
    orNotFound((await readListRow(database, list))[0], `list ${list.id} is not ${list.viewerId}'s`)

/** The viewer's lists, or those with a member (beyond-the-spec 2.2). @throws Failure not_found if there is no such account */
export const readLists =
  ({ database, views }: Deps) =>
  async ({ viewerId, memberId }: ReadListsRequest): Promise<List[]> => {
    if (memberId === undefined) return readListRows(database, { viewerId })
    orNotFound((await views.accounts([memberId]))[0])
    return readListRowsHolding(database, { viewerId, memberId })
  }

/** Members of a list, latest first; with the limit 0 all of them on one page (spec, Lists). @throws Failure not_found */
export const readListMembers = (deps: Deps) => {
  const read = readList(deps)
  return async (list: OwnedList, page: Page): Promise<AccountPage> => {
    await read(list)
    return deps.views.accountPage(page, (part) => readMembers(deps.database, { ...list, page: part }))
  }
}
