import { expect, test } from 'vitest'
import { mayBeNotified } from './relationship.ts'

const STRANGERS = { blocking: false, blockedBy: false, domainBlocking: false, mutingNotifications: false }

test.each([
  ['a stranger', STRANGERS, true],
  ['someone they block', { ...STRANGERS, blocking: true }, false],
  ['someone who blocks them', { ...STRANGERS, blockedBy: true }, false],
  ['someone of a domain they block', { ...STRANGERS, domainBlocking: true }, false],
  ['someone whose notifications they mute', { ...STRANGERS, mutingNotifications: true }, false],
])('a recipient is shown a notification of %s: %3$s', (_who, relationship, isShown) => expect(mayBeNotified(relationship)).toBe(isShown))
