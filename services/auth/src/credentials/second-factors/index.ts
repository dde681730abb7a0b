import { transact } from '@rookery/database'
import type { Login, Proved } from '../../logins/index.ts'
import { type CheckDeps, checkCode } from './check-code.ts'
import { provePerson } from './prove-person.ts'
import { SecondFactorReader, SecondFactorWriter } from './second-factor.store.ts'
import { turnOff } from './turn-off.ts'
import { makeSharedSecret, newRecoveryCodes, turnOn } from './turn-on.ts'

export { uriOf } from './totp.rules.ts'

/** Second factors, for other slices: TOTP codes (RFC 6238), and recovery codes for a lost authenticator. */
export const createSecondFactors = (deps: CheckDeps & { required: 'none' | 'staff' | 'all' }) => {
  const reader = new SecondFactorReader(deps.database.db)
  const isOn = async (accountId: string) => (await reader.find(accountId)) !== undefined
  const check = checkCode(deps)
  return {
    isOn,
    /** Whether an account must turn on a second factor before it may authorize apps or do staff work. */
    async isMissing({ accountId, role }: Pick<Login, 'accountId' | 'role'>): Promise<boolean> {
      const isRequired = deps.required === 'all' || (deps.required === 'staff' && role !== 'user')
      return isRequired && !(await isOn(accountId))
    },
    /** The time it was turned on and the number of unused recovery codes; undefined while it is off. */
    async read(accountId: string) {
      const [factor, codesLeft] = await Promise.all([reader.find(accountId), reader.countRecoveryCodes(accountId)])
      return factor && { since: factor.enabledAt, codesLeft }
    },
    check,
    prove: provePerson({ ...deps, isOn, check }),
    makeSharedSecret,
    turnOn: turnOn(deps),
    turnOff: turnOff(deps),
    /** Replaces the recovery codes; undefined if the second factor is off. @throws Failure conflict as `holdProved` */
    async renewRecoveryCodes(proved: Proved): Promise<string[] | undefined> {
      const { codes, digests } = newRecoveryCodes()
      return transact(deps.database.db, async (tx) => {
        const { accountId, ...login } = await deps.logins.holdProved(tx, proved)
        const writer = new SecondFactorWriter(tx)
        if (!(await writer.find(accountId))) return undefined
        await writer.replaceRecoveryCodes(accountId, digests)
        await deps.securityEmails.send(tx, { to: login.email, locale: login.locale, kind: 'recoveryCodesMade' })
        return codes
      })
    },
  }
}

export type SecondFactors = ReturnType<typeof createSecondFactors>
