import { expect, test } from 'vitest'
import { oneAtATime } from './index.ts'

test('work of one key runs in the order of the calls, work of another beside it, and a failure holds up no one', async () => {
  const inTurn = oneAtATime<string>()
  const log: string[] = []
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const first = inTurn('a', async () => {
    await gate
    log.push('first')
    throw new Error('first failed')
  })
  const second = inTurn('a', async () => log.push('second'))
  await inTurn('b', async () => log.push('other'))
  expect(log).toEqual(['other'])
  open()
  await expect(first).rejects.toThrow('first failed')
  expect(await second).toBe(3)
  expect(log).toEqual(['other', 'first', 'second'])
  expect(await inTurn('a', async () => 'again')).toBe('again')
})
