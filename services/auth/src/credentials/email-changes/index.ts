import { transact } from '@rookery/database'
import { digestOf } from '../../secrets.ts'
import { type ChangeDeps, confirmEmailChange, requestEmailChange } from './change-email.ts'
import { EmailChangeReader, EmailChangeWriter } from './email-change.store.ts'
import { cancelChange, sendEmailChange } from './send-email-change.job.ts'

/** What other slices may do with changes of e-mail addresses. */
export const createEmailChanges = (deps: ChangeDeps & { baseUrl: string }) => ({
  request: requestEmailChange(deps),
  /** The address a link would make someone's, while it is good. */
  emailOf: async (token: string): Promise<string | undefined> =>
    (await new EmailChangeReader(deps.database.db).find(digestOf(token), new Date(deps.clock.now())))?.email,
  confirm: confirmEmailChange(deps),
  cancel: cancelChange,
  forgetExpired: (now: Date) => transact(deps.database.db, (tx) => new EmailChangeWriter(tx).forgetExpired(now)),
  jobs: [sendEmailChange(deps)],
})

export type EmailChanges = ReturnType<typeof createEmailChanges>
