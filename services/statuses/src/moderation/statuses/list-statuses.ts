import { PAGE_SIZES } from '@rookery/contracts/limits'
import type { ListStaffStatusesRequest, StatusPage } from '@rookery/contracts/statuses'
import { cursorsOf, type Database, pageWithin } from '@rookery/database'
import { notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { readStaffStatuses } from './staff-status.store.ts'

/**
 * A page of what an account posted, for staff: what is open to everyone, and of the rest what reports name, so that staff read no more of what was
 * meant for few than others asked them to. @throws Failure not_found for what can be no account
 */
export const listStatuses =
  ({ database, views }: { database: Database<StatusesTables>; views: Views }) =>
  async ({ page: asked, accountId }: ListStaffStatusesRequest): Promise<StatusPage> => {
    if (!isId(accountId)) throw notFound(`${accountId} is no id`)
    const page = pageWithin(PAGE_SIZES.staff, asked)
    const { rows, cursors } = cursorsOf(page, await readStaffStatuses(database, { page, accountId }), ({ id }) => id)
    const shown = await views.presentForAll(
      await views.skeleton(
        '',
        rows.map(({ id }) => id),
      ),
    )
    return { ...shown, cursors }
  }
