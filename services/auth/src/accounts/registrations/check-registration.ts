import type { AccountsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Violation } from '@rookery/failures'
import type { Call, Client } from '@rookery/rpc'
import type { AddressBlocks } from '../../address-blocks/index.ts'
import type { AuthTables } from '../../database/schema.ts'
import type { Logins } from '../../logins/index.ts'
import { AttemptReader } from './attempt.store.ts'
import { domainOf } from './email.rules.ts'
import { lookUpMail, type MailResolver } from './reachable-email.ts'
import { allViolations, inOrderOfFields, type Registration, type RegistrationPolicy } from './registration.rules.ts'
import { type RegistrationField, violation } from './violations.ts'

type Deps = {
  database: Database<AuthTables>
  statuses: { accounts: Client<AccountsDefinition> }
  logins: Logins
  addressBlocks: Pick<AddressBlocks, 'isEmailBlocked'>
  resolver: MailResolver
  isPublic: boolean
}

/** The requirements of a registration, and the client's network address; empty for none. */
export type Policy = RegistrationPolicy & { address: string }

/** Violations of an e-mail address that need a lookup: existing logins, blocks by staff, and the DNS (only on a public server). */
const violationsOfAddress = async (deps: Deps, email: string, { isByOperator, address }: Policy): Promise<Violation[]> => {
  if (await deps.logins.findByEmail(email)) return [violation('email', 'ERR_TAKEN')]
  if (isByOperator) return []
  const domain = domainOf(email)
  const { isReachable, servers } = deps.isPublic ? await lookUpMail(deps.resolver, domain) : { isReachable: true, servers: [] }
  if (await deps.addressBlocks.isEmailBlocked({ email, domains: [domain, ...servers], address })) return [violation('email', 'ERR_BLOCKED')]
  return isReachable ? [] : [violation('email', 'ERR_UNREACHABLE')]
}

/** Whether the username is or was taken. An account that an earlier attempt of the same person opened does not count. */
const violationsOfUsername = async (deps: Deps, call: Call, { username, email }: Registration): Promise<Violation[]> => {
  const { accounts, reservedUsernames } = await deps.statuses.accounts.readUsernames(call, { usernames: [username] })
  const earlier = accounts.length > 0 ? await new AttemptReader(deps.database.db).findLike(email, username) : undefined
  const isTaken = reservedUsernames.length > 0 || accounts.some(({ id }) => id !== earlier?.accountId)
  return isTaken ? [violation('username', 'ERR_TAKEN')] : []
}

/**
 * All violations of a registration, in the order of its fields (spec, Errors 3). Fields are looked up only if they are valid by themselves.
 */
export const checkRegistration =
  (deps: Deps) =>
  async (call: Call, registration: Registration, policy: Policy): Promise<Violation[]> => {
    const violations = allViolations(registration, policy)
    const isSound = (field: RegistrationField) => violations.every((each) => each.field !== field)
    const found = await Promise.all([
      isSound('username') ? violationsOfUsername(deps, call, registration) : [],
      isSound('email') ? violationsOfAddress(deps, registration.email, policy) : [],
    ])
    return inOrderOfFields([...violations, ...found.flat()])
  }
