import { expect, test } from 'vitest'
import { batchInOrder, oneAtATime } from './index.ts'

const opened = (max = 32) => {
  const gates: (() => void)[] = []
  const batches: string[] = []
  const inOrder = oneAtATime<string>()
  const batched = batchInOrder<string, string, string>(
    inOrder,
    async (key, items) => {
      batches.push(`${key}: ${items.join(' ')}`)
      await new Promise<void>((resolve) => gates.push(resolve))
      if (items.includes('broken')) throw new Error('all broken')
      return items.map((item) => (item === 'bad' ? { error: new Error('bad') } : { result: item.toUpperCase() }))
    },
    { max },
  )
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  /** Opens the gates until no work is under way. */
  const finish = async () => {
    await turn()
    for (let open = gates.shift(); open; open = gates.shift()) {
      open()
      await turn()
    }
  }
  return { batched, inOrder, batches, finish, turn }
}

test('items that wait for their turn share a batch, in the order of the calls, and each gets its own result', async () => {
  const { batched, batches, finish, turn } = opened()
  const first = batched('a', 'one')
  await turn()
  const rest = [batched('a', 'two'), batched('a', 'three')]
  await finish()
  expect(await Promise.all([first, ...rest])).toEqual(['ONE', 'TWO', 'THREE'])
  expect(batches).toEqual(['a: one', 'a: two three'])
})

test('work of another key runs beside it, and other work of the same key takes its turn', async () => {
  const { batched, inOrder, batches, finish, turn } = opened()
  const first = batched('a', 'one')
  await turn()
  const other = batched('b', 'two')
  const exclusive = inOrder('a', async () => batches.push('a alone'))
  await turn()
  expect(batches).toEqual(['a: one', 'b: two'])
  await finish()
  await Promise.all([first, other, exclusive])
  expect(batches).toEqual(['a: one', 'b: two', 'a alone'])
})

test('an item that fails fails alone, and work that throws fails all of its items', async () => {
  const { batched, finish, turn } = opened()
  const first = batched('a', 'one')
  await turn()
  const second = Promise.allSettled([batched('a', 'bad'), batched('a', 'good')])
  await finish()
  await first
  expect((await second).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  const third = Promise.allSettled([batched('a', 'broken')])
  await finish()
  expect((await third).map(({ status }) => status)).toEqual(['rejected'])
  const fourth = batched('a', 'again')
  await finish()
  expect(await fourth).toBe('AGAIN')
})

test('no more items share a batch than allowed', async () => {
  const { batched, batches, finish, turn } = opened(2)
  const asked = [batched('a', '1')]
  await turn()
  asked.push(...['2', '3', '4'].map((item) => batched('a', item)))
  await finish()
  await Promise.all(asked)
  expect(batches).toEqual(['a: 1', 'a: 2 3', 'a: 4'])
})
