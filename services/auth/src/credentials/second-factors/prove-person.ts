import type { Logins } from '../../logins/index.ts'
import type { CodeOutcome } from './check-code.ts'

/** Whether someone signed in is who they are: what is wrong with what they gave, or the seconds to wait after too many tries. */
type PersonProof = { outcome: 'right' | 'wrong' | 'wrongCode' } | { outcome: 'exhausted'; retryAfterSeconds: number }

type Deps = {
  logins: Logins
  isOn: (accountId: string) => Promise<boolean>
  check: (accountId: string, code: string) => Promise<CodeOutcome>
}

/**
 * Asks a person who is signed in for their password once more, and for a code where they have a second factor. A code that came with a wrong
 * password stays good. @throws Failure not_found
 */
export const provePerson =
  (deps: Deps) =>
  async (accountId: string, given: { password: string; code: string }): Promise<PersonProof> => {
    const proof = await deps.logins.provePassword(accountId, given.password)
    if (proof.outcome !== 'right' || !(await deps.isOn(accountId))) return proof
    const checked = await deps.check(accountId, given.code)
    return checked.outcome === 'wrong' ? { outcome: 'wrongCode' } : checked
  }
