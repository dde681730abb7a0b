import { PERMISSIONS, rolesWith } from '@rookery/contracts/permissions'
import type { ReportList } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { isId } from '@rookery/ids'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { reportMessage } from './report.message.ts'
import { ReportReader } from './report.store.ts'

/** The roles that read and resolve reports. */
export const MODERATORS = rolesWith(PERMISSIONS.manageReports)

/**
 * Reads those of these reports that the viewer may read: their own, and all if their role manages reports. Includes the reported accounts, blank
 * if suspended; leaves out reports about accounts that no longer exist.
 */
export const readReports =
  ({ database, views }: { database: Database<StatusesTables>; views: Views }) =>
  async ({ ids, viewerId }: { ids: readonly string[]; viewerId: string }): Promise<ReportList> => {
    const rows = isId(viewerId) ? await new ReportReader(database.db).readable(ids.filter(isId), viewerId, MODERATORS) : []
    const accounts = await views.accounts([...new Set(rows.map((row) => row.targetId))], { withNewcomers: true })
    const there = new Set(accounts.map(({ id }) => id))
    return { reports: rows.filter((row) => there.has(row.targetId)).map(reportMessage), accounts }
  }
