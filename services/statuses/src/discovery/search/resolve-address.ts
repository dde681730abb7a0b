import type { AccountView, StatusPage } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { addressedBy } from '../../content/text/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { AccountReader } from '../../people/accounts/index.ts'
import type { Views } from '../../views/index.ts'
import { readKnown } from './known-uri.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views; baseUrl: string }

/**
 * What an address leads to for the viewer: an account that is not suspended, a status, or nothing. Of other servers, what is known here is found
 * by its uri.
 */
export const resolveAddress =
  ({ database, views, baseUrl }: Deps) =>
  async (address: string, viewerId: string): Promise<{ accounts: AccountView[]; statuses: StatusPage | undefined }> => {
    const nothing = { accounts: [], statuses: undefined }
    const addressed = addressedBy(address, baseUrl)
    if (!addressed) {
      const [known] = await readKnown(database, { uri: address })
      if (known?.statusId) return { ...nothing, statuses: await views.byIds(viewerId, [known.statusId], 'direct') }
      return known?.accountId ? { ...nothing, accounts: await views.listedAccounts([known.accountId]) } : nothing
    }
    const accountId = await new AccountReader(database.db).idOf({ username: addressed.username })
    if (!accountId) return nothing
    if (!addressed.statusId) return { ...nothing, accounts: await views.listedAccounts([accountId]) }
    const page = await views.byIds(viewerId, [addressed.statusId], 'direct')
    const isTheirs = page.statuses.some((view) => view.id === addressed.statusId && view.accountId === accountId)
    return { ...nothing, statuses: isTheirs ? page : undefined }
  }
