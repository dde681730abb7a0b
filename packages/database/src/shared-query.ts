import { batching } from '@rookery/batching'
import { isOutage } from '@rookery/failures'
import type pg from 'pg'
import { sendNamed } from './database.ts'
import { type Buildable, compileStatement, keepNamed } from './prepared.ts'
import { refuseInsideTransaction } from './transact.ts'

/** Calls that share a statement, and statements under way, at most: a few wait for few. */
const MAX_TOGETHER = 32
const MAX_AT_ONCE = 4

type Sharing = {
  /** How long one that is under way is waited for before another begins beside it, in milliseconds. */
  patience?: number
}

type Ask<Values, Row> = (given: Values) => Promise<Row[] | undefined>

/** The text for many calls: the values of each are a row that the text is run for. */
const forMany = (text: string, types: readonly string[]): string => {
  const values = types.map((_, index) => `value_${index + 1}`).join(', ')
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')
  return `select asked.turn::int, answer.* from unnest(${arrays}) with ordinality asked(${values}, turn),
    lateral (${text.replace(/\$(\d+)/g, 'asked.value_$1')}) answer`
}

/**
 * Names a prepared statement of the hot path that many run at the same moment, each with values of their own: they share one execution, and
 * each gets its own rows. To start a statement and to switch to Postgres costs about as much as to find a page. `types` are the Postgres types
 * of the values, none of them an array. A single call is answered at once; an answer is never older than its question.
 * @throws what the statement throws for these values: when a shared one fails by the values of one call, each runs again alone
 */
export const sharedQuery = <Values extends object, Row extends object>(
  name: string,
  types: Readonly<Record<keyof Values & string, string>>,
  build: (given: Values) => Buildable<Row>,
  { patience = 0 }: Sharing = {},
): ((database: { pool: pg.Pool }, given: Values) => Promise<Row[]>) => {
  const { text, names } = compileStatement(build)
  const keys = names as readonly (keyof Values & string)[]
  const textForMany = forMany(
    text,
    keys.map((key) => types[key]),
  )
  keepNamed({ name, text: textForMany })
  const ask = async (pool: pg.Pool, calls: readonly Values[]) => {
    const answers = new Map<Values, Row[]>(calls.map((given) => [given, []]))
    const values = keys.map((key) => calls.map((given) => given[key]))
    const rows = await sendNamed<Row & { turn: number }>({ pool }, { name, text: textForMany, values })
    for (const row of rows) answers.get(calls[row.turn - 1]!)!.push(row)
    return answers
  }
  const opened = new WeakMap<pg.Pool, Ask<Values, Row>>()
  return async ({ pool }, values) => {
    refuseInsideTransaction(pool)
    const together = opened.get(pool) ?? batching((calls) => ask(pool, calls), { max: MAX_TOGETHER, atOnce: MAX_AT_ONCE, patience })
    opened.set(pool, together)
    // Of this call alone, also where two give the same object.
    const given = { ...values }
    const rows = await together(given).catch(async (error) => {
      if (isOutage(error)) throw error
      return (await ask(pool, [given])).get(given)
    })
    return rows ?? []
  }
}
