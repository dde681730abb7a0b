import type { Database } from '@rookery/database'
import type { Relay } from '@rookery/events'
import type { Check } from './health.ts'
import { within } from './within.ts'

const ANSWER_MILLISECONDS = 700
/** When the oldest event of an outbox stays the same for so long, nothing is relayed, in milliseconds. */
const STALLED_MILLISECONDS = 30_000

/**
 * Whether Postgres answers over the connections that requests use. A question that waits behind many others is no fault: meanwhile those
 * are answered.
 */
export const databaseCheck = ({ pool, lastAnswer }: Pick<Database<never>, 'pool' | 'lastAnswer'>): Check => {
  let asking: Promise<string | undefined> | undefined
  const ask = async () => {
    try {
      await pool.query('select 1')
    } catch (error) {
      return (error as Error).message
    } finally {
      asking = undefined
    }
  }
  return async () => {
    const asked = performance.now()
    asking ??= ask()
    const fault = await within(ANSWER_MILLISECONDS, asking, () => 'Postgres does not answer')
    return lastAnswer() > asked ? undefined : fault
  }
}

/** Whether Postgres writes: a process whose disk is full is useful to those who read, and is left in service. */
export const writesCheck =
  ({ refusesWrites }: Pick<Database<never>, 'refusesWrites'>): Check =>
  () => {
    const reason = refusesWrites()
    return reason && `Postgres refuses to write: ${reason}`
  }

/** Whether events leave the outbox, through this relay or another one. A relay that stands by is well only while that is so. */
export const outboxCheck =
  ({ stalledMilliseconds }: Pick<Relay, 'stalledMilliseconds'>, { milliseconds = STALLED_MILLISECONDS } = {}): Check =>
  () => {
    const stalled = stalledMilliseconds()
    return stalled > milliseconds
      ? `the oldest event has waited for ${Math.round(stalled / 1000)} seconds and nothing is relayed`
      : undefined
  }
