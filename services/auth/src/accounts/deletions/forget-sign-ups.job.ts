import { Failure, notAllowed } from '@rookery/failures'
import { type Job, job } from '@rookery/jobs'
import { closeLogin } from './close-login.ts'

/** As long as the link works that was sent at the sign-up. */
const KEPT_MILLISECONDS = 7 * 86_400_000
/** Each run leaves the rest to the next, an hour later. */
const MAX_PER_RUN = 2000

/**
 * Deletes sign-ups whose address no one confirmed, once no link can confirm it any more: their username and address are free again. No mail
 * is sent, since the address may belong to a person who never asked.
 */
export const forgetSignUps = (deps: Parameters<typeof closeLogin>[0]): Job => {
  const close = closeLogin(deps)
  const judge = ({ confirmedAt }: { confirmedAt: Date | null }) => {
    if (confirmedAt) throw notAllowed('the address is confirmed meanwhile')
  }
  return job<unknown>({
    name: 'forget-sign-ups',
    cron: '41 * * * *',
    async run() {
      const now = deps.clock.now()
      for (const accountId of await deps.logins.abandonedSignUps(new Date(now - KEPT_MILLISECONDS), new Date(now), MAX_PER_RUN)) {
        await close(accountId, { kind: 'none', judge }).catch((error: unknown) => {
          // Confirmed, or gone, since it was read.
          if (!(error instanceof Failure)) throw error
        })
      }
    },
  })
}
