import { type Job, job } from '@rookery/jobs'
import { ownCall } from '../../calls.ts'
import { AttemptReader } from './attempt.store.ts'
import { type OpenGiven, SETTLE_SIGN_UP, settleAttempt } from './open-login.ts'

/** Finishes or undoes a sign-up whose process did not come to the end. */
export const settleSignUp = (given: OpenGiven): Job =>
  job<{ accountId: string }>({
    name: SETTLE_SIGN_UP,
    async run({ accountId }) {
      const attempt = await new AttemptReader(given.database.db).find(accountId)
      if (attempt) await settleAttempt(given, ownCall(20), attempt)
    },
  })
