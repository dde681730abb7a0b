import { type Database, type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { StatusesTables } from '../../database/schema.ts'
import { trendReviewed } from './trend.events.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox }

/** A decision about a trend, its moderator (no staffId for an operator), and the trend's name in the log. */
type Decision<Row> = { isApproved: boolean; staffId: string; targetOf: (row: Row) => string }

/** Writes a decision about a trend and its log entry, in one transaction; undefined if the trend is deleted. */
export const decideTrend =
  ({ database, outbox }: Deps) =>
  <Row>({ isApproved, staffId, targetOf }: Decision<Row>, write: (tx: Tx<StatusesTables>) => Promise<Row[]>): Promise<Row | undefined> =>
    transact(database.db, async (tx) => {
      const [row] = await write(tx)
      if (row) await outbox.append(tx, [trendReviewed({ isApproved, staffId, target: targetOf(row) })])
      return row
    })
