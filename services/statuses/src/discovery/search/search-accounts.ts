import type { AccountView, FindRequest } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { handleIn } from '../../people/accounts/index.ts'
import type { Views } from '../../views/index.ts'
import { accountFinder } from './account-search.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views; clock: Clock; baseUrl: string }

/** Searches accounts by handle or name, the exact handle first (beyond-the-spec 1.16); after an @, by the beginning of the domain. */
export const searchAccounts = ({ database, views, clock, baseUrl }: Deps) => {
  const findAccounts = accountFinder({ database, clock })
  return async (request: FindRequest): Promise<AccountView[]> => {
    const handle = handleIn(
      request.text
        .trim()
        .replace(/^acct:/i, '')
        .replace(/(?<=.)@$/, ''),
      baseUrl,
    )
    if (handle === undefined) return []
    const { username: text, domain = '' } = handle
    const { viewerId, following, limit, offset } = request
    return views.accountsAt(await findAccounts({ viewerId, text, domain, ownDomain: new URL(baseUrl).host, following, limit, offset }))
  }
}
