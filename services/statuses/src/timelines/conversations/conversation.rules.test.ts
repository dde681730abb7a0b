import { expect, test } from 'vitest'
import { accountsShown } from './conversation.rules.ts'

test.each([
  [
    ['mara', 'joel', 'zoe'],
    ['joel', 'zoe'],
  ],
  [['joel'], ['joel']],
  [['mara'], ['mara']],
  [[], ['mara']],
])('a conversation of %j shows its owner mara %j', (people, shown) => expect(accountsShown(people, 'mara')).toEqual(shown))
