import { transact } from '@rookery/database'
import { digestOf } from '../../secrets.ts'
import { type ChangeDeps, confirmEmailChange, requestEmailChange } from './change-email.ts'
import { EmailChangeReader, EmailChangeWriter } from './email-change.store.ts'
import { cancelChange, sendEmailChange } from './send-email-change.job.ts'

/** Changes of e-mail addresses, for other slices. */
export const createEmailChanges = (deps: ChangeDeps & { baseUrl: string }) => ({
  request: requestEmailChange(deps),
  /** The new address of a valid link. */
  emailOf: async (token: string): Promise<string | undefined> =>
    (await new EmailChangeReader(deps.database.db).find(digestOf(token), new Date(deps.clock.now())))?.email,
  confirm: confirmEmailChange(deps),
  cancel: cancelChange,
  forgetExpired: (now: Date) => transact(deps.database.db, (tx) => new EmailChangeWriter(tx).forgetExpired(now)),
  jobs: [sendEmailChange(deps)],
})

export type EmailChanges = ReturnType<typeof createEmailChanges>
