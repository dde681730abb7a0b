import type { AccountView, FindRequest } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import { handleIn } from '../../people/accounts/index.ts'
import type { Views } from '../../views/index.ts'
import { findAccountIds } from './account-search.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views; baseUrl: string }

/** Accounts by handle or name, the exact handle first (beyond-the-spec 1.16); behind an @ the domain, or how it begins. */
export const searchAccounts =
  ({ database, views, baseUrl }: Deps) =>
  async (request: FindRequest): Promise<AccountView[]> => {
    const handle = handleIn(request.text.trim().replace(/(?<=.)@$/, ''), baseUrl)
    if (handle === undefined) return []
    const { username: text, domain = '' } = handle
    const { viewerId, following, limit, offset } = request
    return views.accounts(
      await findAccountIds(database, { viewerId, text, domain, ownDomain: new URL(baseUrl).host, following, limit, offset }),
    )
  }
