import { Failure, type Violation } from '@rookery/failures'

/** Codes of violations of a registration (spec, Errors 3). */
export type ViolationCode =
  | 'ERR_BLOCKED'
  | 'ERR_UNREACHABLE'
  | 'ERR_TAKEN'
  | 'ERR_RESERVED'
  | 'ERR_ACCEPTED'
  | 'ERR_BLANK'
  | 'ERR_INVALID'
  | 'ERR_TOO_LONG'
  | 'ERR_TOO_SHORT'
  | 'ERR_INCLUSION'

/** The fields' names in messages. */
const LABELS = {
  username: 'Username',
  email: 'E-mail address',
  password: 'Password',
  agreement: 'Service agreement',
  locale: 'Locale',
  reason: 'Reason',
} as const

export type RegistrationField = keyof typeof LABELS

const TEXTS: Record<Exclude<ViolationCode, 'ERR_INVALID' | 'ERR_TOO_LONG' | 'ERR_TOO_SHORT'>, string> = {
  ERR_BLOCKED: 'contains a disallowed e-mail provider',
  ERR_UNREACHABLE: 'does not seem to exist',
  ERR_TAKEN: 'has already been taken',
  ERR_RESERVED: 'is reserved',
  ERR_ACCEPTED: 'must be accepted',
  ERR_BLANK: "can't be blank",
  ERR_INCLUSION: 'is not included in the list',
}

const describe = (field: RegistrationField, code: ViolationCode, bound: number): string => {
  if (code === 'ERR_TOO_LONG') return `is too long (maximum is ${bound} characters)`
  if (code === 'ERR_TOO_SHORT') return `is too short (minimum is ${bound} characters)`
  if (code === 'ERR_INVALID') return field === 'username' ? 'must contain only letters, numbers and underscores' : 'is invalid'
  return TEXTS[code]
}

/** A violation of a field; `bound` is the length limit. */
export const violation = (field: RegistrationField, code: ViolationCode, bound = 0): Violation => ({
  field,
  code,
  description: describe(field, code, bound),
})

/** The failure of an invalid registration, with its violations as sentences and as `details` of the contract. */
export const registrationInvalid = (violations: readonly Violation[]): Failure => {
  const sentences = violations.map(({ field, description }) => `${LABELS[field as RegistrationField]} ${description}`)
  return new Failure('invalid', `Validation failed: ${sentences.join(', ')}`, { violations })
}
