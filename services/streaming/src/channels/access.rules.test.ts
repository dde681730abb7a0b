import { expect, test } from 'vitest'
import { mayOpen, mayReceiveNotifications } from './access.rules.ts'
import { type ChannelName, channelOf } from './names.ts'

const channel = (stream: ChannelName) => channelOf({ stream, tag: 'birds', list: '1' }, 'mara')

test.each([
  [['read'], 'user', true],
  [['read:statuses'], 'user', true],
  [['read:statuses'], 'public', true],
  [['read:statuses'], 'list', true],
  [['read:statuses'], 'user:notification', false],
  [['read:notifications'], 'user:notification', true],
  [['read:notifications'], 'user', false],
  [['read'], 'user:notification', true],
  [['write', 'push'], 'public', false],
  [[], 'hashtag', false],
] as const)('a token with %j opens %s: %s', (scopes, stream, expected) => expect(mayOpen(scopes, channel(stream))).toBe(expected))

test.each([
  [['read'], true],
  [['read:notifications'], true],
  [['read:statuses'], false],
])('a token with %j gets notifications on user: %s', (scopes, expected) => expect(mayReceiveNotifications(scopes)).toBe(expected))
