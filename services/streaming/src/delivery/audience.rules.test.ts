import { expect, test } from 'vitest'
import { sharedKeysOf } from './audience.rules.ts'

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
