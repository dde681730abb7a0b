import { expect, test } from 'vitest'
import { threadOf, threadOrder } from './context.rules.ts'

const reply = (id: string, parentId: string, authorId = 'joel') => ({ id, parentId, authorId })

test.each([
  ['nothing', [], []],
  ['siblings, oldest first', [reply('2', '1'), reply('3', '1')], ['2', '3']],
  ['a branch to its end before its sibling', [reply('2', '1'), reply('3', '1'), reply('4', '2')], ['2', '4', '3']],
  ["the author's own reply ahead of an older one", [reply('2', '1'), reply('3', '1', 'mara')], ['3', '2']],
  ['own replies within a branch first', [reply('2', '1'), reply('3', '2', 'zoe'), reply('4', '2', 'joel')], ['2', '4', '3']],
  ['nothing that hangs on a missing reply', [reply('2', '1'), reply('9', '8')], ['2']],
])('a thread shows %s', (_what, replies, expected) => expect(threadOrder('1', 'mara', replies)).toEqual(expected))

test('orders a chain of 100,000 replies', () => {
  const chain = Array.from({ length: 100_000 }, (_, index) => reply(String(index + 2), String(index + 1)))
  expect(threadOrder('1', 'mara', chain)).toHaveLength(100_000)
})

test('around a status are its ancestors from the root, then its replies', () =>
  expect(threadOf({ id: '3', authorId: 'mara' }, ['2', '1'], [reply('4', '3'), reply('5', '4')])).toEqual({
    ancestorIds: ['1', '2'],
    descendantIds: ['4', '5'],
    aroundIds: ['1', '2', '4', '5'],
  }))
