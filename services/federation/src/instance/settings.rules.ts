import type { TextName } from '../database/tables/instance.ts'

/** Maximum length of each text, in characters. */
const LENGTHS: Readonly<Record<TextName, number>> = {
  title: 100,
  short_description: 500,
  description: 500,
  extended_description: 50_000,
  privacy_policy: 50_000,
  contact_email: 200,
  contact_account: 100,
  color: 7,
}

const LABELS: Readonly<Record<TextName, string>> = {
  title: 'Title',
  short_description: 'Short description',
  description: 'Description',
  extended_description: 'Extended description',
  privacy_policy: 'Privacy policy',
  contact_email: 'Contact email',
  contact_account: 'Contact account',
  color: 'Color',
}

/** Whether a string is the name of a text. */
export const isTextName = (name: string): name is TextName => Object.hasOwn(LENGTHS, name)

/** All names of texts. */
export const TEXT_NAMES = Object.keys(LENGTHS) as TextName[]

/** Validation errors of a text, as sentences. */
export const textFaults = (name: TextName, value: string): string[] => [
  ...(name === 'title' && value.trim() === '' ? ["Title can't be blank"] : []),
  ...([...value].length > LENGTHS[name] ? [`${LABELS[name]} is too long (maximum is ${LENGTHS[name]} characters)`] : []),
  ...(name === 'contact_email' && value !== '' && !/^[^@\s]+@[^@\s]+$/.test(value) ? ['Contact email is invalid'] : []),
  ...(name === 'color' && !/^#[0-9a-f]{6}$/i.test(value) ? ['Color is invalid'] : []),
]

const RULE_LENGTH = 300
const HINT_LENGTH = 2000

/** Validation errors of a rule, as sentences. */
export const ruleFaults = ({ text, hint }: { text: string; hint: string }): string[] => [
  ...(text.trim() === '' ? ["Text can't be blank"] : []),
  ...([...text].length > RULE_LENGTH ? [`Text is too long (maximum is ${RULE_LENGTH} characters)`] : []),
  ...([...hint].length > HINT_LENGTH ? [`Hint is too long (maximum is ${HINT_LENGTH} characters)`] : []),
]
