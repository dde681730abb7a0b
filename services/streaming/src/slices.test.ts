import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSlices } from './slices.ts'

/** Slices of two milliseconds, by a clock that each act advances by one. */
const sliced = () => {
  let time = 0
  const slices = createSlices({ milliseconds: 2, now: () => time })
  const done: string[] = []
  const act = (name: string) =>
    slices.run(() => {
      time++
      done.push(name)
      return name
    })
  return { slices, done, act }
}

test('acts run in the order they came, as many in a turn as its time allows, and none before the next turn', async () => {
  const { slices, done, act } = sliced()
  const all = ['a', 'b', 'c', 'd', 'e'].map(act)
  expect([done, slices.waiting()]).toEqual([[], 5])
  await turn()
  expect([done, slices.waiting()]).toEqual([['a', 'b'], 3])
  await turn()
  expect(done).toEqual(['a', 'b', 'c', 'd'])
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('other work gets its turn between two slices', async () => {
  const { done, act } = sliced()
  const all = ['a', 'b', 'c'].map(act)
  setImmediate(() => done.push('other work'))
  await Promise.all(all)
  expect(done).toEqual(['a', 'b', 'other work', 'c'])
})

test('what an act hands over runs after what waits already', async () => {
  const { slices, done, act } = sliced()
  const first = slices.run(() => act('later'))
  await Promise.all([act('sooner'), first])
  expect(done).toEqual(['sooner', 'later'])
})

test('an act may hand over another when nothing else waits', async () => {
  const { slices, done, act } = sliced()
  await slices.run(() => act('later'))
  await turn()
  expect([done, slices.waiting()]).toEqual([['later'], 0])
  await act('again')
  expect(done).toEqual(['later', 'again'])
})

test('an act that throws fails alone', async () => {
  const { slices, act } = sliced()
  const failing = slices.run(() => {
    throw new Error('broken')
  })
  const next = act('next')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('next')
})
