import { expect, test } from 'vitest'
import { rulesOf, textsOf } from './instance.rules.ts'

const CONFIG = {
  title: 'Birds',
  description: 'short',
  extendedDescription: 'long',
  privacyPolicy: 'kept',
  contactEmail: 'mara@birds.example',
  contactAccount: 'mara',
  color: '#3a4fc4',
  rules: ['Be kind', 'Sing'],
} as Parameters<typeof textsOf>[1]

test('texts are those of the settings unless one is stored', () => {
  expect(textsOf([{ name: 'title', value: 'Nest' }] as Parameters<typeof textsOf>[0], CONFIG)).toEqual({
    title: 'Nest',
    short_description: 'short',
    description: 'short',
    extended_description: 'long',
    privacy_policy: 'kept',
    contact_email: 'mara@birds.example',
    contact_account: 'mara',
    color: '#3a4fc4',
  })
})

test('rules are those of the settings, numbered from 1, until staff add or remove one', () => {
  const stored = [{ id: '7', text: 'Listen', hint: 'well' }]
  expect(rulesOf({ rules: [], removed: [] }, CONFIG)).toEqual([
    { id: '1', text: 'Be kind', hint: '' },
    { id: '2', text: 'Sing', hint: '' },
  ])
  expect(rulesOf({ rules: stored, removed: [] }, CONFIG)).toEqual(stored)
  expect(rulesOf({ rules: [], removed: stored }, CONFIG)).toEqual([])
})
