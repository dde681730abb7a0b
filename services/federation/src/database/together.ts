import { batching } from '@rookery/batching'
import { isOutage } from '@rookery/failures'

/** Maximum rows per statement. */
const MAX_ROWS = 32

/**
 * Batches concurrent writes: a single row is written at once, and rows that arrive while a statement runs share the next one. If a shared
 * statement fails, each of its rows is written alone.
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
