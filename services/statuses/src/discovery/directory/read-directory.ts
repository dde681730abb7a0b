import { PAGE_SIZES } from '@rookery/contracts/limits'
import { type AccountPage, DirectoryOrder, type ReadDirectoryRequest } from '@rookery/contracts/statuses'
import { type Database, rowsWithin } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { DIRECTORY } from './directory.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views; clock: Clock }

/** People who want to be found, by when they posted last or when they came (beyond-the-spec 1.16). Two statements warm, three cold. */
export const readDirectory =
  ({ database, views, clock }: Deps) =>
  async ({ viewerId, order, limit, offset, isLocal }: ReadDirectoryRequest): Promise<AccountPage> => {
    const read = DIRECTORY[order === DirectoryOrder.NEW ? 'newest' : 'active'][isLocal ? 'local' : 'all']
    const wanted = { viewerId: viewerId || '0', now: new Date(clock.now()), limit: rowsWithin(PAGE_SIZES.people, limit), offset }
    const rows = await read(database, wanted)
    return { accounts: await views.accounts(rows.map(({ id }) => id)), cursors: undefined }
  }
