import { PAGE_SIZES } from '@rookery/contracts/limits'
import type { AccountPage, ListModeratedAccountsRequest } from '@rookery/contracts/statuses'
import { cursorsOf, type Database, pageWithin } from '@rookery/database'
import { isId } from '@rookery/ids'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { ModeratedAccountReader } from './moderated-accounts.store.ts'

/** Lists a page of accounts for staff: three statements, and as many again if some of them moved. */
export const listAccounts =
  ({ database, views }: { database: Database<StatusesTables>; views: Views }) =>
  async ({ page: asked, among, ...filter }: ListModeratedAccountsRequest): Promise<AccountPage> => {
    const page = pageWithin(PAGE_SIZES.staff, asked)
    const ids = await new ModeratedAccountReader(database.db).page({ ...filter, among: among?.ids.filter(isId) }, page)
    const { rows, cursors } = cursorsOf(page, ids, (id) => id)
    return { accounts: await views.accounts(rows, { withNewcomers: true }), cursors }
  }
