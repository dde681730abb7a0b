import { type Job, job } from '@rookery/jobs'
import { READ_PINS } from '../../actors/index.ts'
import { DocumentError } from '../../contract.ts'
import { newBudget, type ReceivedDeps } from '../received/deps.ts'
import { refreshPins } from '../received/pins.ts'

/** How long it may take, in milliseconds. */
const MILLISECONDS = 60_000

/**
 * Reads what someone of another server pinned, whom a person of this server looks for or asks to follow. Not for everyone who becomes known: pinned
 * statuses name others, who would be read in turn, without an end.
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
