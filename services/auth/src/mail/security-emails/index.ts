import type { Mailer } from '../mailer/index.ts'
import { requestNotice, sendNotice } from './send-notice.job.ts'

/** Mails about changes of a login, for other slices. */
export const createSecurityEmails = (deps: { mailer: Mailer; baseUrl: string }) => ({
  send: requestNotice(deps),
  jobs: [sendNotice(deps)],
})

export type SecurityEmails = ReturnType<typeof createSecurityEmails>
