import { type Job, job } from '@rookery/jobs'
import { READ_PINS } from '../../actors/index.ts'
import { DocumentError } from '../../contract.ts'
import { newBudget, type ReceivedDeps } from '../received/deps.ts'
import { refreshPins } from '../received/pins.ts'

/** Timeout, in milliseconds. */
const MILLISECONDS = 60_000

/**
 * Reads the pinned statuses of a remote account that a local user searches for or asks to follow. Not of every new account: pinned statuses
 * mention others, whose pins would be read in turn, without end.
 */
export const readPinsJob = (deps: ReceivedDeps): Job => {
  const refresh = refreshPins(deps)
  return job<{ uri: string }>({
    name: READ_PINS,
    lane: 'reading',
    async run({ uri }) {
      const [actor] = await deps.actors.knownByUris([uri])
      if (!actor?.accountId) return
      await refresh(actor, newBudget(AbortSignal.timeout(MILLISECONDS))).catch((error) => {
        if (!(error instanceof DocumentError)) throw error
        deps.log.debug({ err: error, uri }, 'no pins of another server')
      })
    },
  })
}
