import { expect, test } from 'vitest'
import { mayBeNotified, sharedKeysOf } from './audience.rules.ts'

const STATUS = { isListed: true, isLocal: true, hasMedia: false, tags: [] as string[] }

test.each([
  ['listed here', STATUS, ['public', 'public:local']],
  ['listed elsewhere', { ...STATUS, isLocal: false }, ['public', 'public:remote']],
  ['with a file', { ...STATUS, hasMedia: true }, ['public', 'public:local', 'public:media', 'public:local:media']],
  ['that is not listed', { ...STATUS, isListed: false, hasMedia: true }, []],
  ['with a tag', { ...STATUS, tags: ['tea'] }, ['public', 'public:local', 'hashtag/tea', 'hashtag:local/tea']],
  ['with a tag, a reply to another', { ...STATUS, isListed: false, tags: ['tea'] }, ['hashtag/tea', 'hashtag:local/tea']],
  ['with a tag from elsewhere', { ...STATUS, isListed: false, isLocal: false, tags: ['tea'] }, ['hashtag/tea']],
])('a status %s goes to %3$j', (_what, status, keys) => expect(sharedKeysOf(status)).toEqual(keys))

const STRANGERS = { blocking: false, blockedBy: false, domainBlocking: false, mutingNotifications: false }

test.each([
  ['a stranger', STRANGERS, true],
  ['someone they block', { ...STRANGERS, blocking: true }, false],
  ['someone who blocks them', { ...STRANGERS, blockedBy: true }, false],
  ['someone of a domain they block', { ...STRANGERS, domainBlocking: true }, false],
  ['someone whose notifications they mute', { ...STRANGERS, mutingNotifications: true }, false],
])('a recipient is shown a notification of %s: %3$s', (_who, relationship, isShown) => expect(mayBeNotified(relationship)).toBe(isShown))
