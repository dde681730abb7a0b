import { type Job, job } from '@rookery/jobs'
import { ownCall } from '../../calls.ts'
import { AttemptReader } from './attempt.store.ts'
import { type OpenDeps, SETTLE_SIGN_UP, settleAttempt } from './open-login.ts'

/** Finishes or undoes a sign-up whose process did not come to the end. */
export const settleSignUp = (deps: OpenDeps): Job =>
  job<{ accountId: string }>({
    name: SETTLE_SIGN_UP,
    async run({ accountId }) {
      const attempt = await new AttemptReader(deps.database.db).find(accountId)
      if (attempt) await settleAttempt(deps, ownCall(20), attempt)
    },
  })
