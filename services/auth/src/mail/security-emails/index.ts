import type { Mailer } from '../mailer/index.ts'
import { requestNotice, sendNotice } from './send-notice.job.ts'

/** What other slices may do with mail that tells people what has happened to their login. */
export const createSecurityEmails = (deps: { mailer: Mailer; baseUrl: string }) => ({
  send: requestNotice(deps),
  jobs: [sendNotice(deps)],
})

export type SecurityEmails = ReturnType<typeof createSecurityEmails>
