import { expect, test } from 'vitest'
import { addressRefusal } from './server-address.rules.ts'

const birds = 'https://birds.example'
const start = { baseUrl: birds, recorded: birds as string | undefined, previous: undefined as string | undefined, people: 3 }

test.each([
  ['the same address', start],
  ['a first start', { ...start, recorded: undefined, people: 0 }],
  ['the first start after an upgrade, with people', { ...start, recorded: undefined }],
  ['another address before there are people', { ...start, baseUrl: 'https://crows.example', people: 0 }],
  ['a public address after a trial on this machine', { ...start, recorded: 'http://localhost:3000' }],
  ['another port of this machine', { ...start, recorded: 'http://localhost:3000', baseUrl: 'http://localhost:4000' }],
  ['a change on purpose', { ...start, baseUrl: 'https://crows.example', previous: birds }],
])('%s is admitted', (_, given) => expect(addressRefusal(given)).toBeUndefined())

test.each([
  ['another host', { ...start, baseUrl: 'https://crows.example' }],
  ['another port', { ...start, baseUrl: 'https://birds.example:8443' }],
  ['another scheme, since ids begin with it', { ...start, baseUrl: 'http://birds.example' }],
  ['this machine, as when BASE_URL was forgotten', { ...start, baseUrl: 'http://localhost:3000' }],
  [
    'a change from an address other than the recorded one',
    { ...start, baseUrl: 'https://crows.example', previous: 'https://owls.example' },
  ],
])('%s is refused', (_, given) =>
  expect(addressRefusal(given)).toContain(`BASE_URL is ${given.baseUrl}, but these data belong to ${birds}`),
)

test('the refusal says how many people it is about and what to set', () => {
  expect(addressRefusal({ ...start, baseUrl: 'https://crows.example' })).toBe(
    'BASE_URL is https://crows.example, but these data belong to https://birds.example: 3 people have handles and ids there, and other servers ' +
      'would take them for strangers. Set BASE_URL=https://birds.example; or, where the address changes on purpose, set ' +
      'PREVIOUS_BASE_URL=https://birds.example as well',
  )
  expect(addressRefusal({ ...start, people: 1, baseUrl: 'https://crows.example' })).toContain('one person has handles and ids there')
})
