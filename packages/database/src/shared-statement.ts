import { batching } from '@rookery/coalesce'
import { isOutage } from '@rookery/failures'
import type pg from 'pg'
import { type Statement, statement } from './database.ts'
import { refuseInsideTransaction } from './transact.ts'

/** Askers of one statement, and statements under way, at most: a few wait for few. */
const MOST_TOGETHER = 32
const MOST_AT_ONCE = 4

type Ask<Row> = (values: readonly unknown[]) => Promise<Row[] | undefined>

/** The text for many at once: each asker's values are a row that the text is run for. */
const forMany = (text: string, types: readonly string[]): string => {
  const values = types.map((_, index) => `value_${index + 1}`).join(', ')
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')
  return `select asked.turn::int, answer.* from unnest(${arrays}) with ordinality asked(${values}, turn),
    lateral (${text.replace(/\$(\d+)/g, 'asked.value_$1')}) answer`
}

/**
 * Names a reading statement of the hot path that many ask at the same moment, each with values of their own: they are answered together, and
 * each hears its own rows. To start a statement and to switch to Postgres costs about as much as to find a page. `types` are those of the
 * parameters, none of them an array. Alone, an asker is answered at once; an answer is never older than its question.
 * @throws what the statement throws for these values: when a shared one fails by what one asker gave, each who shared it asks again
 * alone
 */
export const sharedStatement = <Row extends unknown[]>(name: string, text: string, types: readonly string[]): Statement<Row> => {
  const send = statement<[turn: number, ...row: Row]>(name, forMany(text, types))
  const ask = async (pool: pg.Pool, askers: readonly (readonly unknown[])[]) => {
    const answers = new Map<readonly unknown[], Row[]>(askers.map((values) => [values, []]))
    const columns = types.map((_, index) => askers.map((values) => values[index]))
    for (const [turn, ...row] of await send({ pool }, columns)) answers.get(askers[turn - 1]!)!.push(row as unknown as Row)
    return answers
  }
  const opened = new WeakMap<pg.Pool, Ask<Row>>()
  return async ({ pool }, given) => {
    refuseInsideTransaction(pool)
    const together = opened.get(pool) ?? batching((askers) => ask(pool, askers), { most: MOST_TOGETHER, atOnce: MOST_AT_ONCE })
    opened.set(pool, together)
    const values = [...given]
    const rows = await together(values).catch(async (error) => {
      if (isOutage(error)) throw error
      return (await ask(pool, [values])).get(values)
    })
    return rows ?? []
  }
}
