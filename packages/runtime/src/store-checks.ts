import type { Database } from '@rookery/database'
import type { Relay } from '@rookery/events'
import type { Check } from './health.ts'
import { within } from './within.ts'

const ANSWER_MILLISECONDS = 700
/** When the oldest event of an outbox stays the same for this long, in milliseconds, nothing is relayed. */
const STALLED_MILLISECONDS = 30_000

/**
 * Checks that Postgres answers on the connections that requests use. A check that waits behind many statements is not a fault, as long as
 * those are answered.
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

/** Checks that Postgres accepts writes: with a full disk, a process can still serve reads and stays in service. */
export const writesCheck =
  ({ refusesWrites }: Pick<Database<never>, 'refusesWrites'>): Check =>
  () => {
    const reason = refusesWrites()
    return reason && `Postgres refuses to write: ${reason}`
  }

/** Checks that events leave the outbox, through this relay or another. A standby relay is healthy only if they do. */
export const outboxCheck =
  ({ stalledMilliseconds }: Pick<Relay, 'stalledMilliseconds'>, { milliseconds = STALLED_MILLISECONDS } = {}): Check =>
  () => {
    const stalled = stalledMilliseconds()
    return stalled > milliseconds
      ? `the oldest event has waited for ${Math.round(stalled / 1000)} seconds and nothing is relayed`
      : undefined
  }
