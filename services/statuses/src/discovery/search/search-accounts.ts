import type { AccountView, FindRequest } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import { localUsername } from '../../people/accounts/index.ts'
import type { Views } from '../../views/index.ts'
import { findAccountIds } from './account-search.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views; baseUrl: string }

/** Accounts by handle or name, the exact handle first (beyond-the-spec 1.16). A handle of another server names no one here. */
export const searchAccounts =
  ({ database, views, baseUrl }: Deps) =>
  async (request: FindRequest): Promise<AccountView[]> => {
    const text = localUsername(request.text.trim().replace(/(?<=.)@$/, ''), baseUrl)
    if (text === undefined) return []
    const { viewerId, following, limit, offset } = request
    return views.accounts(await findAccountIds(database, { viewerId, text, following, limit, offset }))
  }
