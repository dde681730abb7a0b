import { PAGE_SIZES } from '@rookery/contracts/limits'
import type { ListStaffStatusesRequest, StatusPage } from '@rookery/contracts/statuses'
import { cursorsOf, type Database, pageWithin } from '@rookery/database'
import { notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { readStaffStatuses } from './staff-status.store.ts'

/**
 * Lists a page of an account's statuses for staff: public and unlisted ones, and others only if a report names them, so that staff read no more
 * private posts than reporters showed them. @throws Failure not_found for a malformed account id
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
