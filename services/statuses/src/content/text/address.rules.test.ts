import { expect, test } from 'vitest'
import { addressedBy, isAddress } from './address.rules.ts'

const HERE = 'https://here.example'

test.each([
  ['/@mara', { username: 'mara' }],
  ['/@mara/', { username: 'mara' }],
  ['/users/Mara', { username: 'Mara' }],
  ['/@mara/12', { username: 'mara', statusId: '12' }],
  ['/users/mara/statuses/12', { username: 'mara', statusId: '12' }],
  ['/users/mara/statuses/12/activity', { username: 'mara', statusId: '12' }],
  ['/@mara/12?lang=de#top', { username: 'mara', statusId: '12' }],
  ['/@mara/followers', undefined],
  ['/users/mara/12', undefined],
  ['/@mara/12345678901234567890', undefined],
  ['/tags/tea', undefined],
  ['/at/@mara', undefined],
  ['/at/users/mara', undefined],
  ['', undefined],
])('the address %s names %j', (path, expected) => {
  expect(addressedBy(`${HERE}${path}`, HERE)).toEqual(expected)
})

test.each(['https://there.example/@mara', 'https://here.example:8443/@mara', '@mara', 'ftp://here.example/@mara', `see ${HERE}/@mara`])(
  '%s names nothing here',
  (text) => {
    expect(addressedBy(text, HERE)).toBeUndefined()
  },
)

test.each([
  ['HTTPS://there.example/@mara', true],
  ['http://there.example', true],
  ['see https://there.example', false],
  ['https://there.example or so', false],
  ['https://', false],
])('%s is an address: %s', (text, expected) => expect(isAddress(text)).toBe(expected))
