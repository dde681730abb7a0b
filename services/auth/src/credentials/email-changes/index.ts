import { transact } from '@rookery/database'
import { digestOf } from '../../secrets.ts'
import { type ChangeGiven, confirmEmailChange, requestEmailChange } from './change-email.ts'
import { EmailChangeReader, EmailChangeWriter } from './email-change.store.ts'
import { cancelChange, sendEmailChange } from './send-email-change.job.ts'

/** What other slices may do with changes of e-mail addresses. */
export const createEmailChanges = (given: ChangeGiven & { baseUrl: string }) => ({
  request: requestEmailChange(given),
  /** The address a link would make somebody's, while it is good. */
  emailOf: async (token: string): Promise<string | undefined> =>
    (await new EmailChangeReader(given.database.db).find(digestOf(token), new Date(given.clock.now())))?.email,
  confirm: confirmEmailChange(given),
  cancel: cancelChange,
  forgetExpired: (now: Date) => transact(given.database.db, (tx) => new EmailChangeWriter(tx).forgetExpired(now)),
  jobs: [sendEmailChange(given)],
})

export type EmailChanges = ReturnType<typeof createEmailChanges>
