import { batching } from '@rookery/batching'
import { isOutage } from '@rookery/failures'
import type pg from 'pg'
import { sendNamed } from './database.ts'
import { type Buildable, compileStatement, registerStatement } from './prepared.ts'
import { refuseInsideTransaction } from './transact.ts'

/**
 * Maximum calls per statement. A few, so that Postgres works on the next batch while this process handles the last: with all calls in one
 * statement, each would wait for the other.
 */
const MAX_TOGETHER = 8
/**
 * Maximum concurrent statements, and the milliseconds to wait before starting another: starting one costs as much as two calls of a short
 * statement, so the next waits a little for its answer.
 */
const SHORT = { atOnce: 4, patience: 2 }
/** The same for calls that take Postgres half a millisecond: a batch of eight would take too long. */
const LONG = { atOnce: 3, patience: 0 }
/**
 * Turns of the event loop from a request to its query: parsing, authentication, batching. A page that was read waits this many turns, so
 * that Postgres works on the next requests while this process presents the page.
 */
const TURNS = 3

/** The values of a call as text: calls with the same values share a result. */
type Key = string
type Sharing = {
  /** How long to wait for the statement under way before starting another beside it, in milliseconds. */
  patience?: number
  /**
   * Whether a page is presented from each answer, which takes this process about as long as the query took Postgres: requests that arrived
   * meanwhile are sent first.
   */
  makesPages?: boolean
  /** Whether a call takes Postgres long by itself: then the next statement does not wait. */
  isLong?: boolean
}

type Ask<Row> = (key: Key) => Promise<Row[] | undefined>

/** The text for many calls: it is run laterally for the row of values of each. */
const forMany = (text: string, types: readonly string[]): string => {
  const values = types.map((_, index) => `value_${index + 1}`).join(', ')
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')
  return `select asked.turn::int, answer.* from unnest(${arrays}) with ordinality asked(${values}, turn),
    lateral (${text.replace(/\$(\d+)/g, 'asked.value_$1')}) answer`
}

/**
 * Declares a prepared statement of the hot path that concurrent callers share, each with its own values: one execution answers all, and
 * each gets its own rows; callers with the same values get the same rows. Starting a statement and switching to Postgres costs about as
 * much as finding a page. `types` are the Postgres types of the values: texts, finite numbers, booleans and times. A single call is sent at
 * once; an answer is never older than its call.
 * @throws the statement's error for these values: when a shared execution fails because of one call's values, each runs again alone
 */
export const sharedQuery = <Values extends object, Row extends object>(
  name: string,
  types: Readonly<Record<keyof Values & string, string>>,
  build: (given: Values) => Buildable<Row>,
  { patience, makesPages = false, isLong = false }: Sharing = {},
): ((database: { pool: pg.Pool }, given: Values) => Promise<Row[]>) => {
  const { text, names } = compileStatement(build)
  const keys = names as readonly (keyof Values & string)[]
  const textForMany = forMany(
    text,
    keys.map((key) => types[key]),
  )
  registerStatement({ name, text: textForMany })
  const ask = async (pool: pg.Pool, calls: readonly Key[]) => {
    const answers = new Map<Key, Row[]>(calls.map((call) => [call, []]))
    const given: unknown[][] = calls.map((call) => JSON.parse(call))
    const values = keys.map((_, index) => given.map((each) => each[index]))
    const rows = await sendNamed<Row & { turn: number }>({ pool }, { name, text: textForMany, values })
    for (const row of rows) answers.get(calls[row.turn - 1]!)!.push(row)
    return answers
  }
  const pace = isLong ? LONG : SHORT
  const options = { max: MAX_TOGETHER, atOnce: pace.atOnce, patience: patience ?? pace.patience, turns: makesPages ? TURNS : 0 }
  const opened = new WeakMap<pg.Pool, Ask<Row>>()
  return async ({ pool }, values) => {
    refuseInsideTransaction(pool)
    const together = opened.get(pool) ?? batching((calls) => ask(pool, calls), options)
    opened.set(pool, together)
    const call = JSON.stringify(keys.map((key) => values[key]))
    const rows = await together(call).catch(async (error) => {
      if (isOutage(error)) throw error
      return (await ask(pool, [call])).get(call)
    })
    return rows ?? []
  }
}
