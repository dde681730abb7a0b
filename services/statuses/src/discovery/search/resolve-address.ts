import type { AccountView, StatusPage } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { addressedBy } from '../../content/text/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { AccountReader } from '../../people/accounts/index.ts'
import type { Views } from '../../views/index.ts'
import { readKnown } from './known-uri.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views; baseUrl: string }

/** The account or status that a URL addresses. */
export type Resolved = { accounts: AccountView[]; statuses: StatusPage | undefined }

const NOTHING: Resolved = { accounts: [], statuses: undefined }

/**
 * Resolves a URL to an account (unless suspended) or a status that the viewer may see, or to nothing. Known remote accounts and statuses are found by
 * their uri.
 */
export const resolveAddress = ({ database, views, baseUrl }: Deps) => {
  const byUri = async (uri: string, viewerId: string): Promise<Resolved> => {
    const [known] = await readKnown(database, { uri })
    if (known?.statusId) return { ...NOTHING, statuses: await views.byIds(viewerId, [known.statusId], 'direct') }
    return known?.accountId ? { ...NOTHING, accounts: await views.listedAccounts([known.accountId]) } : NOTHING
  }
  return async (address: string, viewerId: string): Promise<Resolved> => {
    const addressed = addressedBy(address, baseUrl)
    if (!addressed) return byUri(address, viewerId)
    const accountId = await new AccountReader(database.db).idOf({ username: addressed.username })
    if (!accountId) return NOTHING
    if (!addressed.statusId) return { ...NOTHING, accounts: await views.listedAccounts([accountId]) }
    const page = await views.byIds(viewerId, [addressed.statusId], 'direct')
    const isTheirs = page.statuses.some((view) => view.id === addressed.statusId && view.accountId === accountId)
    return { ...NOTHING, statuses: isTheirs ? page : undefined }
  }
}
