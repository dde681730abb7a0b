import { type Database, type Tx, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { isLoginTaken, type Logins, type Proved } from '../../logins/index.ts'
import type { Mailer } from '../../mail/mailer/index.ts'
import type { SecurityEmails } from '../../mail/security-emails/index.ts'
import { digestOf } from '../../secrets.ts'
import { type EmailChange, EmailChangeWriter } from './email-change.store.ts'
import { requestChange } from './send-email-change.job.ts'

export type ChangeDeps = {
  database: Database<AuthTables>
  clock: Clock
  logins: Logins
  mailer: Mailer
  securityEmails: SecurityEmails
  /** Revokes password links that were mailed to the previous address. */
  forgetResets: (tx: Tx<AuthTables>, accountId: string) => Promise<void>
}

const replaceEmail = async (deps: ChangeDeps, tx: Tx<AuthTables>, { accountId, email }: EmailChange) => {
  const confirmedAt = new Date(deps.clock.now())
  let emailBefore = email
  const login = await deps.logins.changeState(tx, accountId, (before) => {
    emailBefore = before.email
    return { email, ...(before.confirmedAt ? {} : { confirmedAt }) }
  })
  await deps.forgetResets(tx, accountId)
  await deps.securityEmails.send(tx, { to: emailBefore, locale: login.locale, kind: 'emailChanged' })
}

/**
 * Requests a change of address: it takes effect when the link mailed to the new address is followed, and the current address gets a
 * security mail. A server without mail changes it at once.
 * @throws Failure conflict as `holdProved`; the unique violation of login_email if it is changed at once and taken
 */
export const requestEmailChange =
  (deps: ChangeDeps) =>
  (proved: Proved, email: string): Promise<'sent' | 'changed'> =>
    transact(deps.database.db, async (tx) => {
      const login = await deps.logins.holdProved(tx, proved)
      const change = { accountId: proved.accountId, email }
      if (!deps.mailer.canSend) {
        await replaceEmail(deps, tx, change)
        return 'changed'
      }
      await requestChange(tx, change, deps.clock.now())
      await deps.securityEmails.send(tx, { to: login.email, locale: login.locale, kind: 'emailChanging' })
      return 'sent'
    })

/** Changes the address by a link. An invalid link, or an address taken meanwhile, changes nothing. */
export const confirmEmailChange =
  (deps: ChangeDeps) =>
  async (token: string): Promise<'changed' | 'bad' | 'taken'> => {
    try {
      return await transact(deps.database.db, async (tx) => {
        const change = await new EmailChangeWriter(tx).take(digestOf(token), new Date(deps.clock.now()))
        if (!change) return 'bad'
        await replaceEmail(deps, tx, change)
        return 'changed'
      })
    } catch (error) {
      if (isLoginTaken(error)) return 'taken'
      throw error
    }
  }
