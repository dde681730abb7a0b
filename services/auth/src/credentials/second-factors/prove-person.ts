import type { Logins, Proved } from '../../logins/index.ts'
import type { CodeOutcome } from './check-code.ts'

/** The result of a re-authentication. */
type PersonProof =
  | { outcome: 'right'; proved: Proved }
  | { outcome: 'wrong' | 'wrongCode' }
  | { outcome: 'exhausted'; retryAfterSeconds: number }

type Deps = {
  logins: Logins
  isOn: (accountId: string) => Promise<boolean>
  check: (accountId: string, code: string) => Promise<CodeOutcome>
}

/**
 * Re-authenticates a signed-in person by password, and by code if a second factor is on. A wrong password does not use up the code.
 * @throws Failure not_found
 */
export const provePerson =
  (deps: Deps) =>
  async (accountId: string, given: { password: string; code: string }): Promise<PersonProof> => {
    const proof = await deps.logins.provePassword(accountId, given.password)
    if (proof.outcome !== 'right' || !(await deps.isOn(accountId))) return proof
    const checked = await deps.check(accountId, given.code)
    if (checked.outcome === 'right') return proof
    return checked.outcome === 'wrong' ? { outcome: 'wrongCode' } : checked
  }
