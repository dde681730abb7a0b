import { batching } from '@rookery/batching'
import { isOutage } from '@rookery/failures'

/** Rows of one statement at most. */
const MAX_ROWS = 32

/**
 * Batches concurrent writes: a row alone is written at once, and rows that come while a statement is under way share the next. When a
 * shared statement fails, each of its rows is written alone.
 */
export const together = <Row extends object, Answer>(
  write: (rows: Row[]) => Promise<Map<Row, Answer>>,
): ((row: Row) => Promise<Answer | undefined>) => {
  const shared = batching(write, { max: MAX_ROWS })
  return (row) =>
    shared(row).catch(async (error) => {
      if (isOutage(error)) throw error
      return (await write([row])).get(row)
    })
}
