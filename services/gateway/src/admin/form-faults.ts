import type { Values } from '@rookery/http'
import type { Language } from '@rookery/pages'
import type { Texts } from './texts/index.ts'

/** A fault of a form, as a sentence in the page's language, and the fields it may belong to: none for the form as a whole. */
export type FormFault = { readonly words: string; readonly fields: readonly string[]; readonly breaks?: Breaks | undefined }

/** Whether a value violates the rule, if that can be told; of similar fields, those that do are marked. */
type Breaks = (value: string) => boolean

type Words = Texts['wrong']
type Found = { text: string; number: string; count: number }
type Phrase = { fits: RegExp; say: (words: Words, found: Found) => string; breaks?: (found: Found) => Breaks }

const phrase = (source: string, say: Phrase['say'], breaks?: Phrase['breaks']): Phrase => ({
  fits: new RegExp(`^(?<label>[A-Z].*?) ${source}$`, 's'),
  say,
  ...(breaks && { breaks }),
})

/** The API's error messages after the parameter's name (spec, Errors 2 and 3), and the page's words for them. The first match counts. */
const PHRASES: readonly Phrase[] = [
  phrase(
    "can't be blank",
    ({ blank }) => blank,
    () => (value) => value.trim() === '',
  ),
  phrase(
    'is too long \\(maximum is (?<number>\\d+) characters\\)',
    ({ tooLong }, { number }) => tooLong(number),
    ({ count }) =>
      (value) =>
        [...value].length > count,
  ),
  phrase('(?:are too many|has too many lines) \\(maximum is (?<number>\\d+)\\)', ({ tooMany }, { number }) => tooMany(number)),
  phrase('is not included in the list', ({ notListed }) => notListed),
  phrase('does not reference valid rules', ({ notListed }) => notListed),
  phrase('has already been taken', ({ taken }) => taken),
  phrase('is not a valid domain name', ({ domain }) => domain),
  phrase('is the name of this server', ({ ownDomain }) => ownDomain),
  phrase('contains your own address', ({ ownAddress }) => ownAddress),
  phrase('does not exist', ({ unknown }) => unknown),
  phrase('None or invalid context supplied', ({ choose }) => choose),
  phrase('must be 2 to 128 letters, digits or underscores', ({ shortcode }) => shortcode),
  phrase('must be after starts at', ({ afterStart }) => afterStart),
  phrase('must be in the future', ({ future }) => future),
  phrase('must be today or later', ({ todayOrLater }) => todayOrLater),
  phrase('(?:content type is invalid|is no PNG, JPEG or WebP)', ({ fileType }) => fileType),
  phrase('(?:must be less than|is too large \\(maximum is) (?<text>\\d+ [KM]B)\\)?', ({ fileSize }, { text }) => fileSize(text)),
  phrase('is too large \\(maximum is (?<number>\\d+) pixels\\)', ({ tooWide }, { number }) => tooWide(number)),
  phrase('is too large: .*', ({ tooDetailed }) => tooDetailed),
  phrase('is too small \\(minimum is (?<number>\\d+) pixels\\)', ({ tooSmall }, { number }) => tooSmall(number)),
  phrase('must be square', ({ square }) => square),
  phrase('of all filters are limited to (?<number>\\d+) characters together', ({ filterCharacters }, { number }) =>
    filterCharacters(number),
  ),
  phrase('of all filters are limited to (?<number>\\d+)', ({ tooMany }, { number }) => tooMany(number)),
  phrase('are limited to (?<number>\\d+)', ({ filters }, { number }) => filters(number)),
  phrase('(?:is (?:invalid|not a .*)|must be greater than or equal to \\d+)', ({ invalid }) => invalid),
]

/** The API's error messages without a parameter. */
const SENTENCES: readonly Omit<Phrase, 'breaks'>[] = [
  { fits: /^This action is not allowed$/, say: ({ forbidden }) => forbidden },
  { fits: /^The last owner cannot be /, say: ({ lastOwner }) => lastOwner },
  { fits: /^The account does not wait for approval$/, say: ({ notWaiting }) => notWaiting },
  { fits: /^You have already imposed stricter limits on (?<text>.*)\.$/, say: ({ stricter }, { text }) => stricter(text) },
  { fits: /^There are (?<number>\d+) (?:relays|versions) already$/, say: ({ tooMany }, { number }) => tooMany(number) },
  { fits: /^This is the app of the operators/, say: ({ operatorsApp }) => operatorsApp },
  { fits: /^It failed again: (?<text>.*)$/s, say: ({ failedAgain }, { text }) => failedAgain(text) },
]

/** Fields by the API's name for their parameter, where it differs. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  'Canonical email hash': ['email'],
  Context: ['in_home'],
  'Effective date': ['effective_on'],
  File: ['picture', 'list', 'avatar', 'header'],
  Icon: ['picture'],
  'Keywords keyword': ['keywords'],
  'Rule ids': ['rule_id'],
  Shortcode: ['shortcode', 'new_shortcode'],
  Tag: ['name'],
}

/** The prefix of the API's faults of parameters (spec, Errors 2). */
const SEVERAL = 'Validation failed: '

/** Parameters of checkboxes for records: if none is checked, that is not a field's fault. */
const CHOSEN = /^(?:Account|Report|Status) ids$/

/** The refusal of an endpoint, and the values it was given. */
export type Refusal = {
  status: number
  error: string
  values: Values
  /** The field that identifies the target of the form: if the target does not exist, it is marked. */
  names?: string | undefined
  /** The fields of a parameter that is composed of several fields. */
  fieldsOf?: ((label: string, values: Values) => readonly string[] | undefined) | undefined
}

/** The words for a refusal with an unknown message. */
const generalWords = (words: Words, status: number): string => {
  if (status === 403) return words.forbidden
  if (status === 404) return words.gone
  return status === 409 ? words.changed : words.other
}

const foundIn = ({ groups = {} }: RegExpExecArray, language: Language): Found => {
  const count = Number(groups['number'] ?? 0)
  return { text: groups['text'] ?? '', number: new Intl.NumberFormat(language).format(count), count }
}

const fieldsNamed = (label: string, { values, fieldsOf }: Refusal): readonly string[] =>
  fieldsOf?.(label, values) ?? FIELDS[label] ?? [label.toLowerCase().replaceAll(' ', '_')]

const faultOf = (sentence: string, refusal: Refusal, { words, language }: { words: Words; language: Language }): FormFault => {
  for (const { fits, say } of SENTENCES) {
    const match = fits.exec(sentence)
    if (match) return { words: say(words, foundIn(match, language)), fields: [] }
  }
  for (const { fits, say, breaks } of PHRASES) {
    const match = fits.exec(sentence)
    if (!match) continue
    const label = match.groups?.['label'] ?? ''
    if (CHOSEN.test(label)) return { words: words.choose, fields: [] }
    const found = foundIn(match, language)
    return { words: say(words, found), fields: fieldsNamed(label, refusal), breaks: breaks?.(found) }
  }
  return { words: generalWords(words, refusal.status), fields: [] }
}

/** Removes the general 'invalid' fault of a field that has a more specific one. */
const withoutRepeats = (faults: readonly FormFault[], { invalid }: Words): FormFault[] =>
  faults.filter(
    ({ words, fields }, index) =>
      faults.findIndex((other) => other.words === words && String(other.fields) === String(fields)) === index &&
      (words !== invalid || !faults.some((other) => other.words !== invalid && String(other.fields) === String(fields))),
  )

/** The faults of a refused form in the language of the page, with their fields. */
export const faultsOf = (refusal: Refusal, { texts, language }: { texts: Texts; language: Language }): FormFault[] => {
  const { wrong: words } = texts
  const { status, error, names, values } = refusal
  if (status === 404 && names !== undefined) {
    const isBlank = String(values[names] ?? '').trim() === ''
    return [{ words: isBlank ? words.blank : words.unknown, fields: [names] }]
  }
  // Each of several sentences begins with the name of its parameter.
  const sentences = error.startsWith(SEVERAL) ? error.slice(SEVERAL.length).split(/, (?=[A-Z][a-z])/) : [error]
  return withoutRepeats(
    sentences.map((sentence) => faultOf(sentence, refusal, { words, language })),
    words,
  )
}

/** The shown fields that a fault belongs to: of its fields those that violate the rule, or the first. */
export const placeOf = ({ fields, breaks }: FormFault, shown: readonly string[], values: Values): string[] => {
  const named = fields.filter((name) => shown.includes(name))
  const broken = breaks ? named.filter((name) => breaks(String(values[name] ?? ''))) : []
  return broken.length > 0 ? broken : named.slice(0, 1)
}
