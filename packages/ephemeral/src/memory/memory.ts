import { every } from '@rookery/handles'
import type { Ephemeral } from '../ports.ts'
import { memoryInvalidations } from './invalidations.ts'
import { memoryLive } from './live.ts'
import { memoryPresence } from './presence.ts'
import { memoryRates } from './rates.ts'

/** The ephemeral ports within one process. `onError` gets the errors of readers of the live log. */
export const memoryEphemeral = (
  now: () => number,
  { onError = () => {}, graceMilliseconds }: { onError?: (error: unknown) => void; graceMilliseconds?: number } = {},
): Ephemeral => {
  const live = memoryLive(now, onError)
  const presence = memoryPresence(now, graceMilliseconds === undefined ? {} : { graceMilliseconds })
  const rates = memoryRates(now)
  const invalidations = memoryInvalidations()
  const forget = () => {
    rates.forgetEnded()
    presence.forgetGone()
  }
  const sweep = every(30_000, forget, { onError, holdsProcess: false })
  return {
    live,
    presence,
    rates,
    invalidations,
    async close() {
      sweep.stop()
      live.close()
      invalidations.close()
      presence.clear()
      rates.clear()
    },
  }
}
