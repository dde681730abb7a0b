import { inBothOrders, type Order, prepared, type Source } from '@rookery/database'
import { sql } from 'kysely'
import { isOpenStatus } from '../../audience/index.ts'
import type { FindOpen } from './gather.ts'

/** Maximum statuses examined. */
const NEAR = sql.lit(1000)

type Range = { from: string; to: string }

const statementOf = (order: Order) => {
  const [isFrom, isBefore, back] = order === 'desc' ? [sql`>=`, sql`<`, sql`asc`] : [sql`<=`, sql`>`, sql`desc`]
  return prepared(
    `timelines.open-near-${order}`,
    ({ from, to }: Range) => sql<{ id: string }>`
      select id from (
        select id, visibility from status_head where id ${isFrom} ${from} and id ${isBefore} ${to} order by id ${back} limit ${NEAR}) h
      where ${isOpenStatus('h')} order by id ${back} limit 1`,
  )
}

const STATEMENTS = inBothOrders(statementOf)

/** Finds the nearest public or unlisted status, from one id to before another, against an order. */
export const openNear =
  (source: Source): FindOpen =>
  async (order, range) =>
    (await STATEMENTS[order](source, range))[0]?.id
