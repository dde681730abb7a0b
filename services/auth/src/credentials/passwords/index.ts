import { type Tx, transact } from '@rookery/database'
import type { AuthTables } from '../../database/schema.ts'
import type { Mailer } from '../../mail/mailer/index.ts'
import { digestOf } from '../../secrets.ts'
import type { Throttle } from '../../throttle.ts'
import { changePassword } from './change-password.ts'
import { makeLink } from './make-link.ts'
import { requestReset, sendLink } from './request-reset.ts'
import { ResetReader, ResetWriter } from './reset.store.ts'
import { resetPassword } from './reset-password.ts'
import { sendReset } from './send-reset.job.ts'

type Deps = Parameters<typeof resetPassword>[0] & { mailer: Mailer; throttle: Throttle; baseUrl: string }

/** Changes and resets of passwords, for other slices. */
export const createPasswords = (deps: Deps) => {
  const reader = new ResetReader(deps.database.db)
  const withLinks = { ...deps, makeLink: makeLink(deps) }
  return {
    requestReset: requestReset(deps),
    sendLink,
    isLinkGood: async (token: string) => (await reader.find(digestOf(token), new Date(deps.clock.now()))) !== undefined,
    reset: resetPassword(deps),
    change: changePassword(deps),
    forgetResets: (tx: Tx<AuthTables>, accountId: string) => new ResetWriter(tx).forgetOf(accountId),
    makeLink: withLinks.makeLink,
    forgetExpired: (now: Date) => transact(deps.database.db, (tx) => new ResetWriter(tx).forgetExpired(now)),
    jobs: [sendReset(withLinks)],
  }
}

export type Passwords = ReturnType<typeof createPasswords>
