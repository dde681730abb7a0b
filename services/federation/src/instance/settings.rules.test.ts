import { expect, it } from 'vitest'
import { isTextName, ruleFaults, textFaults } from './settings.rules.ts'

it.each([
  ['title', 'Nest', []],
  ['title', ' ', ["Title can't be blank"]],
  ['title', 'x'.repeat(101), ['Title is too long (maximum is 100 characters)']],
  ['title', '🐦'.repeat(100), []],
  ['short_description', '', []],
  ['privacy_policy', 'x'.repeat(50_001), ['Privacy policy is too long (maximum is 50000 characters)']],
  ['contact_email', '', []],
  ['contact_email', 'mara@nest.example', []],
  ['contact_email', 'mara', ['Contact email is invalid']],
] as const)('%s as %j has the faults %j', (name, value, faults) => expect(textFaults(name, value)).toEqual(faults))

it.each([
  ['Be kind', '', []],
  [' ', '', ["Text can't be blank"]],
  ['x'.repeat(301), 'y'.repeat(2001), ['Text is too long (maximum is 300 characters)', 'Hint is too long (maximum is 2000 characters)']],
])('a rule %j with the hint %j has the faults %j', (text, hint, faults) => expect(ruleFaults({ text, hint })).toEqual(faults))

it.each([
  ['title', true],
  ['constructor', false],
  ['rules', false],
])('%s is a text: %s', (name, isOne) => expect(isTextName(name)).toBe(isOne))
