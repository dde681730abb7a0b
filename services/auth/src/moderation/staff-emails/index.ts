import type { Clock } from '@rookery/runtime'
import { unsubscribeLinks } from '../../accounts/notification-emails/index.ts'
import type { Logins } from '../../logins/index.ts'
import type { Mailer } from '../../mail/mailer/index.ts'
import type { Seals } from '../../web/http/index.ts'
import { beginStaffMails } from './begin-staff-mails.job.ts'
import { requestStaffMails } from './request-staff-mails.consumer.ts'
import { sendStaffMail } from './send-staff-mail.job.ts'
import type { WaitingDeps } from './waiting.ts'

type Deps = WaitingDeps & { clock: Clock; logins: Logins; mailer: Mailer; seals: Seals; baseUrl: string }

/** Mail to staff about their pending items: reports, appeals, and sign-ups that need approval. */
export const createStaffEmails = (deps: Deps) => ({
  consumers: requestStaffMails(deps),
  jobs: [beginStaffMails(deps), sendStaffMail({ ...deps, links: unsubscribeLinks(deps) })],
})
