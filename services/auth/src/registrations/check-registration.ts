import type { Violation } from '@rookery/failures'
import type { Logins } from '../logins/index.ts'
import { domainOf } from './email.rules.ts'
import { isReachable, type MailResolver } from './reachable-email.ts'
import { allViolations, type Registration, type RegistrationPolicy } from './registration.rules.ts'
import { violation } from './violations.ts'

type Given = { logins: Logins; resolver: MailResolver; isPublic: boolean }

/** Faults of an address that only others can tell: the logins there are, and the DNS (not asked for a server nobody can reach). */
const violationsOfAddress = async (given: Given, email: string, isByOperator: boolean): Promise<Violation[]> => {
  if (await given.logins.findByEmail(email)) return [violation('email', 'ERR_TAKEN')]
  if (!given.isPublic || isByOperator) return []
  return (await isReachable(given.resolver, domainOf(email))) ? [] : [violation('email', 'ERR_UNREACHABLE')]
}

/** Everything wrong with a registration, except a username that is taken: that only statuses knows. */
export const checkRegistration =
  (given: Given) =>
  async (registration: Registration, policy: RegistrationPolicy): Promise<Violation[]> => {
    const violations = allViolations(registration, policy)
    if (violations.some(({ field }) => field === 'email')) return violations
    return [...violations, ...(await violationsOfAddress(given, registration.email, policy.isByOperator))]
  }
