import { randomBytes } from 'node:crypto'
import { type Database, transact } from '@rookery/database'
import type { Encryption } from '@rookery/encryption'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { type Logins, locked, type Proved } from '../../logins/index.ts'
import type { SecurityEmails } from '../../mail/security-emails/index.ts'
import { digestOf } from '../../secrets.ts'
import { fromBase32, toBase32 } from './base32.ts'
import { makeRecoveryCodes, normalRecoveryCode } from './recovery-code.rules.ts'
import { SecondFactorWriter } from './second-factor.store.ts'
import { stepOf } from './totp.rules.ts'

/** 160 bits (RFC 4226, section 4). */
const SECRET_BYTES = 20

/** Generates a secret, in base32. */
export const makeSharedSecret = (): string => toBase32(randomBytes(SECRET_BYTES))

type TurnOnDeps = {
  database: Database<AuthTables>
  clock: Clock
  logins: Logins
  securityEmails: SecurityEmails
  encryption: () => Promise<Encryption>
}

/** Generates recovery codes, and their digests to store. */
export const newRecoveryCodes = (): { codes: string[]; digests: Buffer[] } => {
  const codes = makeRecoveryCodes()
  return { codes, digests: codes.map((code) => digestOf(normalRecoveryCode(code))) }
}

/**
 * Turns on a second factor, if there is none and the code proves that the app has the secret. Returns the recovery codes, which cannot be
 * read again; undefined if the code is wrong or a factor is on. @throws Failure conflict as `holdProved`
 */
export const turnOn =
  (deps: TurnOnDeps) =>
  async (proved: Proved, given: { secret: string; code: string }): Promise<string[] | undefined> => {
    const lastStep = stepOf(fromBase32(given.secret), given.code.replace(/\s/g, ''), { now: deps.clock.now(), after: -1 })
    if (lastStep === undefined) return undefined
    const secret = (await deps.encryption()).encrypt(given.secret)
    const { codes, digests } = newRecoveryCodes()
    return transact(deps.database.db, async (tx) => {
      const writer = new SecondFactorWriter(tx)
      const { accountId } = await deps.logins.holdProved(tx, proved)
      const login = await deps.logins.changeState(tx, accountId, ({ passwordHash }) => ({ passwordHash: locked(passwordHash) }))
      if (!(await writer.add({ accountId, secret, lastStep, enabledAt: new Date(deps.clock.now()) }))) return undefined
      await writer.replaceRecoveryCodes(accountId, digests)
      await deps.securityEmails.send(tx, { to: login.email, locale: login.locale, kind: 'secondFactorOn' })
      return codes
    })
  }
