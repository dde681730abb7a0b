import { expect, test } from 'vitest'
import { createOffsets, type Handled } from './offsets.ts'

const FIRST = { topic: 'a', partition: 0 }
const SECOND = { topic: 'a', partition: 1 }

const recording = (failures = 0) => {
  const commits: (readonly Handled[])[] = []
  const errors: unknown[] = []
  const commit = async (handled: readonly Handled[]) => {
    if (failures-- > 0) throw new Error('the brokers are away')
    commits.push(handled)
  }
  return { commits, errors, offsets: createOffsets({ commit, onError: (error) => errors.push(error) }) }
}

test('what is handled in a burst is committed in few commits, each partition at its last offset', async () => {
  const { commits, offsets } = recording()
  for (let offset = 1; offset <= 100; offset++) {
    offsets.note(FIRST, String(offset))
    offsets.note(SECOND, String(offset))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await offsets.close()
  expect(commits.length).toBeLessThan(10)
  expect(commits.flat().filter(({ partition }) => partition === 0)).toContainEqual({ ...FIRST, offset: '100' })
  expect(commits.at(-1)!.every(({ offset }) => offset === '100')).toBe(true)
})

test('a commit that failed is made again, with what was handled since', async () => {
  const { commits, errors, offsets } = recording(1)
  offsets.note(FIRST, '1')
  await expect.poll(() => errors.length).toBe(1)
  offsets.note(SECOND, '7')
  await expect
    .poll(() => commits.flat())
    .toEqual([
      { ...FIRST, offset: '1' },
      { ...SECOND, offset: '7' },
    ])
  await offsets.close()
})

test('what was handled before partitions are given away is not committed any more', async () => {
  const { commits, offsets } = recording()
  offsets.note(FIRST, '1')
  offsets.forget()
  await offsets.close()
  expect(commits).toEqual([])
})
