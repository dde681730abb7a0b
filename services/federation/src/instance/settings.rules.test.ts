import { expect, it } from 'vitest'
import { isTextName, ruleFaults, textFaults } from './settings.rules.ts'

const LENGTHS = [
  ['short_description', 'Short description', 500],
  ['description', 'Description', 500],
  ['extended_description', 'Extended description', 50_000],
  ['contact_account', 'Contact account', 100],
] as const

it.each([
  ['title', 'Nest', []],
  ['title', ' ', ["Title can't be blank"]],
  ['title', 'x'.repeat(101), ['Title is too long (maximum is 100 characters)']],
  ['title', '🐦'.repeat(100), []],
  ['short_description', '', []],
  ['privacy_policy', 'x'.repeat(50_001), ['Privacy policy is too long (maximum is 50000 characters)']],
  ['contact_email', '', []],
  ['contact_email', `${'m'.repeat(187)}@nest.example`, []],
  ['contact_email', `${'m'.repeat(188)}@nest.example`, ['Contact email is too long (maximum is 200 characters)']],
  ['contact_email', 'mara@nest.example', []],
  ...['mara', 'mara@', '@nest.example', 'a mara@nest.example', 'mara@nest.example b', 'mara@nest@example'].map(
    (address) => ['contact_email', address, ['Contact email is invalid']] as const,
  ),
  ...['#C0FFEE', '#c0ffee'].map((color) => ['color', color, []] as const),
  ...['', 'c0ffee', '#fff', '#c0ffeg', 'a#c0ffe'].map((color) => ['color', color, ['Color is invalid']] as const),
  ['color', '#c0ffee0', ['Color is too long (maximum is 7 characters)', 'Color is invalid']],
  ['color', 'x#c0ffee', ['Color is too long (maximum is 7 characters)', 'Color is invalid']],
  ...LENGTHS.flatMap(([name, label, length]) => [
    [name, 'x'.repeat(length), []] as const,
    [name, 'x'.repeat(length + 1), [`${label} is too long (maximum is ${length} characters)`]] as const,
  ]),
] as const)('%s as %j has the faults %j', (name, value, faults) => expect(textFaults(name, value)).toEqual(faults))

it.each([
  ['Be kind', '', []],
  [' ', '', ["Text can't be blank"]],
  ['x'.repeat(300), 'y'.repeat(2000), []],
  ['x'.repeat(301), 'y'.repeat(2001), ['Text is too long (maximum is 300 characters)', 'Hint is too long (maximum is 2000 characters)']],
])('a rule %j with the hint %j has the faults %j', (text, hint, faults) => expect(ruleFaults({ text, hint })).toEqual(faults))

it.each([
  ['title', true],
  ['constructor', false],
  ['rules', false],
])('%s is a text: %s', (name, isOne) => expect(isTextName(name)).toBe(isOne))
