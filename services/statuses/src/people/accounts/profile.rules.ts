import { LIMITS } from '@rookery/contracts/limits'
import { type UpdateAccountRequest, Visibility } from '@rookery/contracts/statuses'
import { domainName } from '@rookery/domain-names'
import { Failure, type Violation } from '@rookery/failures'
import { countCharacters } from '@rookery/markup'
import { languageCode } from '../../content/text/index.ts'

const graphemes = new Intl.Segmenter()
const lengthOf = (text: string) => (text.length > 10_000 ? text.length : [...graphemes.segment(text)].length)

const PRIVACY: Record<string, Visibility> = { public: Visibility.PUBLIC, unlisted: Visibility.UNLISTED, private: Visibility.PRIVATE }
const QUOTE_POLICIES = new Set(['public', 'followers', 'nobody'])
/** The media settings of clients (spec, Preferences). */
const EXPANSIONS = new Set(['default', 'show_all', 'hide_all'])

/** The default visibility with this name; undefined for any other name. */
export const privacyNamed = (name: string): Visibility | undefined => (Object.hasOwn(PRIVACY, name) ? PRIVACY[name] : undefined)

/** A violation, and the parameter's name in messages. */
type Fault = Violation & { label: string }

const fault = (field: string, label: string, code: string, description: string): Fault => ({ field, label, code, description })
const tooLong = (field: string, label: string, max: number) =>
  fault(field, label, 'ERR_TOO_LONG', `is too long (maximum is ${max} characters)`)
const tooMany = (field: string, label: string, max: number) => fault(field, label, 'ERR_TOO_LONG', `are too many (maximum is ${max})`)
const notIncluded = (field: string, label: string) => fault(field, label, 'ERR_INCLUSION', 'is not included in the list')

const textFaults = ({ displayName = '', note = '' }: UpdateAccountRequest): Fault[] => {
  const { displayNameLength, noteLength } = LIMITS.accounts
  return [
    ...(lengthOf(displayName.trim()) > displayNameLength ? [tooLong('display_name', 'Display name', displayNameLength)] : []),
    ...(countCharacters(note.trim()) > noteLength ? [tooLong('note', 'Note', noteLength)] : []),
  ]
}

type Field = { name: string; value: string }

/** The fields to store: without the space around them, and without empty ones, which forms send for unused rows. */
export const keptFields = (fields: readonly Field[]): Field[] =>
  fields.map(({ name, value }) => ({ name: name.trim(), value: value.trim() })).filter(({ name, value }) => name !== '' || value !== '')

const fieldFaults = ({ fields: list }: UpdateAccountRequest): Fault[] => {
  const { maxProfileFields, profileFieldNameLength, profileFieldValueLength } = LIMITS.accounts
  const fields = keptFields(list?.fields ?? [])
  return [
    ...(fields.length > maxProfileFields ? [tooMany('fields', 'Fields', maxProfileFields)] : []),
    ...(fields.some(({ name }) => lengthOf(name) > profileFieldNameLength)
      ? [tooLong('fields', 'Fields name', profileFieldNameLength)]
      : []),
    ...(fields.some(({ value }) => lengthOf(value) > profileFieldValueLength)
      ? [tooLong('fields', 'Fields value', profileFieldValueLength)]
      : []),
    ...(fields.some(({ name }) => name === '') ? [fault('fields', 'Fields name', 'ERR_BLANK', "can't be blank")] : []),
  ]
}

const defaultFaults = ({ privacy, language, quotePolicy, expandMedia }: UpdateAccountRequest): Fault[] => [
  ...(privacy !== undefined && privacyNamed(privacy) === undefined ? [notIncluded('privacy', 'Privacy')] : []),
  ...(language && languageCode(language) === undefined ? [notIncluded('language', 'Language')] : []),
  ...(quotePolicy !== undefined && !QUOTE_POLICIES.has(quotePolicy) ? [notIncluded('quote_policy', 'Quote policy')] : []),
  ...(expandMedia !== undefined && !EXPANSIONS.has(expandMedia) ? [notIncluded('expand_media', 'Expand media')] : []),
]

/** Domains as people paste them: as URLs, or with a star for subdomains. Empty ones are dropped. */
const pastedDomains = (domains: readonly string[]): string[] =>
  domains.flatMap((domain) => {
    const bare = domain
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/^\*\./, '')
    return bare.replace(/\/$/, '') || []
  })

const domainFaults = ({ attributionDomains: list }: UpdateAccountRequest): Fault[] => {
  const { maxAttributionDomains } = LIMITS.accounts
  const domains = pastedDomains(list?.domains ?? [])
  const field = 'attribution_domains'
  return [
    ...(new Set(domains).size > maxAttributionDomains ? [tooMany(field, 'Attribution domains', maxAttributionDomains)] : []),
    ...(domains.some((domain) => domainName(domain) === undefined)
      ? [fault(field, 'Attribution domains', 'ERR_INVALID', 'is not a valid domain name')]
      : []),
  ]
}

/**
 * Validates the limits of an update (spec, Limits 3; beyond-the-spec 1.2, 2.2).
 * @throws Failure invalid with all faults, and `details` by parameter
 */
export const refuseFaults = (update: UpdateAccountRequest): void => {
  const faults = [...textFaults(update), ...fieldFaults(update), ...defaultFaults(update), ...domainFaults(update)]
  if (faults.length === 0) return
  const sentences = faults.map(({ label, description }) => `${label} ${description}`)
  const violations = faults.map(({ field, code, description }) => ({ field, code, description }))
  throw new Failure('invalid', `Validation failed: ${sentences.join(', ')}`, { violations })
}

/** Normalises and deduplicates valid domains. */
export const keptDomains = (domains: readonly string[]): string[] => [
  ...new Set(pastedDomains(domains).flatMap((domain) => domainName(domain) ?? [])),
]
