import { describe, expect, it } from 'vitest'
import { workQueue } from './work-queue.ts'

/** Work that ends when it is told to. */
const controlled = () => {
  const started: number[] = []
  const ends: (() => void)[] = []
  const work = (name: number) => async () => {
    started.push(name)
    await new Promise<void>((resolve) => ends.push(resolve))
    return name
  }
  return { started, ends, work }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a work queue', () => {
  it('runs a few at a time, in order, and sends away who finds it full', async () => {
    const queue = workQueue({ running: 2, waiting: 2 })
    const { started, ends, work } = controlled()
    const results = [1, 2, 3, 4].map((name) => queue.run(work(name)))
    await expect(queue.run(work(5))).rejects.toMatchObject({ kind: 'unavailable' })
    await turn()
    expect(started).toEqual([1, 2])
    ends[0]?.()
    await turn()
    expect(started).toEqual([1, 2, 3])
    ends[1]?.()
    ends[2]?.()
    await turn()
    ends[3]?.()
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4])
  })

  it('goes on after work that failed', async () => {
    const queue = workQueue({ running: 1, waiting: 1 })
    const failed = queue.run(() => Promise.reject(new Error('no')))
    const next = queue.run(async () => 'yes')
    await expect(failed).rejects.toThrow('no')
    expect(await next).toBe('yes')
    expect(await queue.run(async () => 'again')).toBe('again')
  })
})
