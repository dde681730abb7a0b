import { Failure, notAllowed } from '@rookery/failures'
import { type Job, job } from '@rookery/jobs'
import { closeLogin } from './close-login.ts'

/** How long an unconfirmed sign-up is kept, in milliseconds: the lifetime of the link that was mailed. */
const KEPT_MILLISECONDS = 7 * 86_400_000
/** Sign-ups per run at most; the next run, an hour later, continues. */
const MAX_PER_RUN = 2000

/**
 * Deletes unconfirmed sign-ups after the last confirmation link has expired, which frees their usernames and addresses. No mail is sent,
 * since the address may belong to a person who never signed up.
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
          // Confirmed or deleted since it was read.
          if (!(error instanceof Failure)) throw error
        })
      }
    },
  })
}
