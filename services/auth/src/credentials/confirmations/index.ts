import { type Database, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import type { Logins } from '../../logins/index.ts'
import type { Mailer } from '../../mail/mailer/index.ts'
import type { Throttle } from '../../throttle.ts'
import { confirmEmail, isLinkGood } from './confirm-email.ts'
import { ConfirmationWriter } from './confirmation.store.ts'
import { resendForApp, resendMail } from './resend-confirmation.ts'
import { requestConfirmation, sendConfirmation } from './send-confirmation.job.ts'

type Deps = {
  database: Database<AuthTables>
  clock: Clock
  logins: Logins
  mailer: Mailer
  throttle: Throttle
  baseUrl: string
} & Parameters<typeof resendForApp>[0]

/** Confirmation of e-mail addresses, for other slices. */
export const createConfirmations = (deps: Deps) => ({
  request: requestConfirmation,
  isLinkGood: isLinkGood(deps),
  confirm: confirmEmail(deps),
  resend: resendMail(deps),
  resendForApp: resendForApp(deps),
  forgetExpired: (now: Date) => transact(deps.database.db, (tx) => new ConfirmationWriter(tx).forgetExpired(now)),
  jobs: [sendConfirmation(deps)],
})

export type Confirmations = ReturnType<typeof createConfirmations>
