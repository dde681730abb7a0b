import { LIMITS } from '@rookery/contracts/limits'
import { covers } from '@rookery/contracts/scopes'
import type { Violation } from '@rookery/failures'
import { domainOf, isEmail, MAX_EMAIL_LENGTH } from './email.rules.ts'
import { localeOf } from './locales.ts'
import { isReserved } from './reserved-usernames.ts'
import { type RegistrationField, type ViolationCode, violation } from './violations.ts'

/** The form of a sign-up. */
export type Registration = {
  username: string
  email: string
  password: string
  hasAgreed: boolean
  locale: string
  reason: string
}

/** Requirements of a registration. An operator may use reserved names and blocked addresses, and need not agree to anything. */
export type RegistrationPolicy = { needsReason: boolean; blockedEmailDomains: readonly string[]; isByOperator: boolean }

/** The maximum scopes of a new account's token: an app signs people up to read and to post, not to administer. */
const NEWCOMERS = ['read', 'write', 'follow', 'push']

/** The scopes of a new account's token: those of its app that new accounts may have. */
export const scopesOfNewcomer = (appScopes: readonly string[]): string[] => appScopes.filter((scope) => covers(NEWCOMERS, scope))

const PASSWORD = { shortest: 8, longest: 72 }
const REASON_LENGTH = 420

/** Code points, as people and clients count. */
const lengthOf = (text: string) => [...text].length
const isBlank = (text: string) => text.trim() === ''

const isUnder = (domain: string, blocked: string) => domain === blocked || domain.endsWith(`.${blocked}`)

type Fault = readonly [ViolationCode, bound?: number]

const faultsOfUsername = ({ username }: Registration, policy: RegistrationPolicy): Fault[] => {
  if (isBlank(username)) return [['ERR_BLANK']]
  const faults: Fault[] = []
  if (!/^[a-z0-9_]+$/i.test(username)) faults.push(['ERR_INVALID'])
  if (lengthOf(username) > LIMITS.accounts.usernameLength) faults.push(['ERR_TOO_LONG', LIMITS.accounts.usernameLength])
  if (!policy.isByOperator && isReserved(username)) faults.push(['ERR_RESERVED'])
  return faults
}

const faultsOfEmail = ({ email }: Registration, policy: RegistrationPolicy): Fault[] => {
  if (isBlank(email)) return [['ERR_BLANK']]
  if (lengthOf(email) > MAX_EMAIL_LENGTH) return [['ERR_TOO_LONG', MAX_EMAIL_LENGTH]]
  if (!isEmail(email)) return [['ERR_INVALID']]
  const isBlocked = policy.blockedEmailDomains.some((blocked) => isUnder(domainOf(email), blocked.toLowerCase()))
  return isBlocked && !policy.isByOperator ? [['ERR_BLOCKED']] : []
}

const faultsOfPassword = ({ password }: Registration): Fault[] => {
  if (isBlank(password)) return [['ERR_BLANK']]
  if (lengthOf(password) < PASSWORD.shortest) return [['ERR_TOO_SHORT', PASSWORD.shortest]]
  return lengthOf(password) > PASSWORD.longest ? [['ERR_TOO_LONG', PASSWORD.longest]] : []
}

const faultsOfLocale = ({ locale }: Registration): Fault[] => {
  if (isBlank(locale)) return [['ERR_BLANK']]
  return localeOf(locale) ? [] : [['ERR_INCLUSION']]
}

const faultsOfReason = ({ reason }: Registration, policy: RegistrationPolicy): Fault[] => {
  if (policy.needsReason && isBlank(reason)) return [['ERR_BLANK']]
  if (reason.includes('\0')) return [['ERR_INVALID']]
  return lengthOf(reason) > REASON_LENGTH ? [['ERR_TOO_LONG', REASON_LENGTH]] : []
}

const FIELDS: Record<RegistrationField, (registration: Registration, policy: RegistrationPolicy) => Fault[]> = {
  username: faultsOfUsername,
  email: faultsOfEmail,
  password: faultsOfPassword,
  agreement: ({ hasAgreed }, { isByOperator }) => (hasAgreed || isByOperator ? [] : [['ERR_ACCEPTED']]),
  locale: faultsOfLocale,
  reason: faultsOfReason,
}

/** The violations of one field, without lookups. */
export const violationsOf = (field: RegistrationField, registration: Registration, policy: RegistrationPolicy): Violation[] =>
  FIELDS[field](registration, policy).map(([code, bound]) => violation(field, code, bound))

/** Sorts violations by the order of the fields. */
export const inOrderOfFields = (violations: readonly Violation[]): Violation[] => {
  const order = Object.keys(FIELDS)
  return violations.toSorted((one, other) => order.indexOf(one.field) - order.indexOf(other.field))
}

/** All violations of a registration that need no lookup (spec, Errors 3). */
export const allViolations = (registration: Registration, policy: RegistrationPolicy): Violation[] =>
  (Object.keys(FIELDS) as RegistrationField[]).flatMap((field) => violationsOf(field, registration, policy))
