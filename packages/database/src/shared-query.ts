import { batching } from '@rookery/batching'
import { isOutage } from '@rookery/failures'
import type pg from 'pg'
import { sendNamed } from './database.ts'
import { type Buildable, compileStatement, keepNamed } from './prepared.ts'
import { refuseInsideTransaction } from './transact.ts'

/**
 * Calls that share a statement at most. A few, so that Postgres works on the next ones while this process goes on with those of the last: with
 * all callers in one statement either waits for the other.
 */
const MAX_TOGETHER = 8
/**
 * How many statements are under way at most, and after how many milliseconds one begins beside another: to start one costs as much as two calls of
 * a short statement, so the next one waits a little for its answer.
 */
const SHORT = { atOnce: 4, patience: 2 }
/** The same where a call takes Postgres half a millisecond: eight of them together would be waited for too long. */
const LONG = { atOnce: 3, patience: 0 }
/**
 * Turns of the event loop from a request to the statement of its page: it is read, it is known whose it is, the statement is shared. For so
 * long a page that was read lets them pass, so that Postgres finds the next ones while this process presents the last.
 */
const TURNS = 3

/** The values of a call as text: calls with the same values are one. */
type Key = string
type Sharing = {
  /** How long one that is under way is waited for before another begins beside it, in milliseconds. */
  patience?: number
  /** Whether a page is made of each answer, which takes this process about as long as finding it took Postgres: requests that came meanwhile are sent first. */
  makesPages?: boolean
  /** Whether a call takes Postgres long by itself: the next statement is not kept waiting then. */
  isLong?: boolean
}

type Ask<Row> = (key: Key) => Promise<Row[] | undefined>

/** The text for many calls: the values of each are a row that the text is run for. */
const forMany = (text: string, types: readonly string[]): string => {
  const values = types.map((_, index) => `value_${index + 1}`).join(', ')
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')
  return `select asked.turn::int, answer.* from unnest(${arrays}) with ordinality asked(${values}, turn),
    lateral (${text.replace(/\$(\d+)/g, 'asked.value_$1')}) answer`
}

/**
 * Names a prepared statement of the hot path that many run at the same moment, each with values of their own: they share one execution, and
 * each gets its own rows; those with the same values get the same rows. To start a statement and to switch to Postgres costs about as much as to find a
 * page. `types` are the Postgres types of the values, which are texts, finite numbers, booleans and times. A single call is answered at once; an answer is never older than its question.
 * @throws what the statement throws for these values: when a shared one fails by the values of one call, each runs again alone
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
  keepNamed({ name, text: textForMany })
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
