import { type Job, job } from '@rookery/jobs'
import { callWithin } from '@rookery/rpc/call-within'
import { AttemptReader } from './attempt.store.ts'
import { COMPLETE_SIGN_UP, completeAttempt, type OpenDeps } from './open-login.ts'

/** Completes or undoes a sign-up that was interrupted. */
export const completeSignUp = (deps: OpenDeps): Job =>
  job<{ accountId: string }>({
    name: COMPLETE_SIGN_UP,
    async run({ accountId }) {
      const attempt = await new AttemptReader(deps.database.db).find(accountId)
      if (attempt) await completeAttempt(deps, callWithin(20), attempt)
    },
  })
