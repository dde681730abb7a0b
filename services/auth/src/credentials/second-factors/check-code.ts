import { type Database, transact } from '@rookery/database'
import type { Encryption } from '@rookery/encryption'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import type { Login, Logins } from '../../logins/index.ts'
import type { SecurityEmails } from '../../mail/security-emails/index.ts'
import { digestOf } from '../../secrets.ts'
import type { Throttle } from '../../throttle.ts'
import { fromBase32 } from './base32.ts'
import { normalRecoveryCode } from './recovery-code.rules.ts'
import { SecondFactorReader, SecondFactorWriter, type StoredFactor } from './second-factor.store.ts'
import { isCodeLike, stepOf } from './totp.rules.ts'

/** The result of checking a code; `exhausted` when the rate limit is reached. */
export type CodeOutcome = { outcome: 'right' } | { outcome: 'wrong' } | { outcome: 'exhausted'; retryAfterSeconds: number }

export type CheckDeps = {
  database: Database<AuthTables>
  clock: Clock
  throttle: Throttle
  logins: Logins
  securityEmails: SecurityEmails
  encryption: () => Promise<Encryption>
}

const takeCode = async (deps: CheckDeps, factor: StoredFactor, code: string): Promise<boolean> => {
  const encryption = await deps.encryption()
  const secret = encryption.decrypt(factor.secret)
  if (secret === undefined) throw new Error('A second factor was encrypted with another ENCRYPTION_KEY: name it behind the new one.')
  const step = stepOf(fromBase32(secret), code, { now: deps.clock.now(), after: factor.lastStep })
  if (step === undefined) return false
  // Re-encrypts with the current key.
  const taken = { step, secret: encryption.encrypt(secret) }
  return transact(deps.database.db, (tx) => new SecondFactorWriter(tx).take(factor, taken))
}

const takeRecoveryCode = async (deps: CheckDeps, { email: to, locale, accountId }: Login, typed: string): Promise<boolean> =>
  transact(deps.database.db, async (tx) => {
    const isTaken = await new SecondFactorWriter(tx).takeRecoveryCode(accountId, digestOf(normalRecoveryCode(typed)))
    if (isTaken) await deps.securityEmails.send(tx, { to, locale, kind: 'recoveryCodeUsed' })
    return isTaken
  })

const reportWrongCode = async (deps: CheckDeps, { email: to, locale, accountId }: Login): Promise<void> => {
  if ((await deps.throttle([{ limit: 'wrongCodeMails', by: accountId }])) !== undefined) return
  await transact(deps.database.db, (tx) => deps.securityEmails.send(tx, { to, locale, kind: 'wrongCode' }))
}

/**
 * Checks and uses up a code of a second factor, or a recovery code. An account has ten attempts an hour, right or wrong. The first wrong
 * code of an hour is reported by mail, because its sender knows the password.
 */
export const checkCode =
  (deps: CheckDeps) =>
  async (accountId: string, typed: string): Promise<CodeOutcome> => {
    const retryAfterSeconds = await deps.throttle([{ limit: 'codes', by: accountId }])
    if (retryAfterSeconds !== undefined) return { outcome: 'exhausted', retryAfterSeconds }
    const [factor, login] = await Promise.all([new SecondFactorReader(deps.database.db).find(accountId), deps.logins.find(accountId)])
    if (!factor || !login) return { outcome: 'wrong' }
    const code = typed.replace(/\s/g, '')
    const isRight = isCodeLike(code) ? await takeCode(deps, factor, code) : await takeRecoveryCode(deps, login, code)
    if (!isRight) await reportWrongCode(deps, login)
    return { outcome: isRight ? 'right' : 'wrong' }
  }
