import { expect, test } from 'vitest'
import type { ReadActor } from '../contract.ts'
import { isSound } from './actor.rules.ts'

const ANN: ReadActor = {
  uri: 'https://there.example/users/ann',
  inbox: 'https://there.example/users/ann/inbox',
  sharedInbox: 'https://there.example/inbox',
  featuredTagsUri: '',
  followingUri: '',
  followersUri: 'https://there.example/users/ann/followers',
  featuredUri: '',
  outboxUri: '',
  keyId: 'https://there.example/users/ann#main-key',
  publicKeyPem: 'a key',
  proofKeyId: '',
  proofPublicKeyPem: '',
  profile: {} as never,
}

test.each<[string, Partial<ReadActor>, boolean]>([
  ['an actor of one host', {}, true],
  ['without a shared inbox', { sharedInbox: '' }, true],
  ['an inbox elsewhere', { inbox: 'https://elsewhere.example/inbox' }, false],
  ['a shared inbox elsewhere', { sharedInbox: 'https://elsewhere.example/inbox' }, false],
  ['an inbox at another port', { inbox: 'https://there.example:25/inbox' }, false],
  ['a key of another host', { keyId: 'https://elsewhere.example/key' }, false],
  ['no key', { publicKeyPem: '' }, false],
  ['a second key of another host', { proofKeyId: 'https://elsewhere.example/key' }, false],
  ['no inbox', { inbox: '' }, false],
  ['an inbox that is no address', { inbox: 'tea' }, false],
  ['an id that is a file', { uri: 'file:///etc/passwd', inbox: 'file:///etc/passwd' }, false],
  ['an id too long for the keys of jobs', { uri: `https://there.example/${'a'.repeat(500)}` }, false],
  ['no id of a key', { keyId: '' }, false],
  ['the longest key', { publicKeyPem: 'a'.repeat(8192) }, true],
  ['a longer key', { publicKeyPem: 'a'.repeat(8193) }, false],
  ...(['inbox', 'sharedInbox', 'followersUri', 'featuredUri', 'outboxUri', 'keyId', 'proofKeyId'] as const).flatMap(
    (name): [string, Partial<ReadActor>, boolean][] => [
      [`the longest ${name}`, { [name]: ANN.uri.padEnd(2048, 'a') }, true],
      [`a longer ${name}`, { [name]: ANN.uri.padEnd(2049, 'a') }, false],
    ],
  ),
])('%s: %s', (_, change, sound) => expect(isSound({ ...ANN, ...change })).toBe(sound))
