import { expect, test } from 'vitest'
import { localStatus, localUsername } from './local-uri.rules.ts'

const HERE = 'https://birds.example'

test.each([
  ['/users/mara/statuses/12', { username: 'mara', id: '12', isAct: false }],
  ['/users/mara/statuses/12/activity', { username: 'mara', id: '12', isAct: true }],
  ['/users/mara/statuses/12/replies', undefined],
  ['/users/mara/statuses/99999999999999999999', undefined],
  ['/users/mara/statuses/x', undefined],
  ['/users/mara', undefined],
  ['/@mara/12', undefined],
])('%s of this server names %j', (path, named) => expect(localStatus(HERE + path, HERE)).toEqual(named && { ...named, uri: HERE + path }))

test('a status of another server is none of this one, also where the address begins alike', () => {
  expect(localStatus('https://far.example/users/mara/statuses/12', HERE)).toBeUndefined()
  expect(localStatus('https://wolfs.example/users/mara/statuses/12', HERE)).toBeUndefined()
  expect(localStatus(`${HERE}/at/users/mara/statuses/12`, HERE)).toBeUndefined()
  expect(localStatus('https://birds.example.far.example/users/mara/statuses/12', HERE)).toBeUndefined()
})

test.each([
  [`${HERE}/users/Mara`, 'mara'],
  [`${HERE}/users/mara/inbox`, undefined],
  [`${HERE}/@mara`, undefined],
  [`${HERE}/at/users/mara`, undefined],
  ['https://far.example/users/mara', undefined],
  ['https://wolfs.example/users/mara', undefined],
])('%s is the actor of %s here', (uri, username) => expect(localUsername(uri, HERE)).toBe(username))
