import { describe, expect, it } from 'vitest'
import { workQueue } from './work-queue.ts'

/** Work that ends when released. */
const controlled = () => {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => async () => {
    started.push(name)
    await new Promise<void>((resolve) => ends.set(name, resolve))
    return name
  }
  return { started, end: (name: string) => ends.get(name)?.(), work }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))
const { signal } = new AbortController()
const LIMITS = { running: 2, runningPerOwner: 1, waiting: 3, waitingPerOwner: 2 }

describe('a work queue', () => {
  it('runs one of each owner at a time, and lets owners take turns', async () => {
    const queue = workQueue(LIMITS)
    const { started, end, work } = controlled()
    const run = (name: string) => queue.run({ owner: name[0]!, signal }, work(name))
    const results = ['a1', 'a2', 'a3', 'b1', 'c1'].map(run)
    await turn()
    expect(started).toEqual(['a1', 'b1'])
    expect(queue.waiting()).toBe(3)
    end('a1')
    await turn()
    expect(started).toEqual(['a1', 'b1', 'a2'])
    end('a2')
    await turn()
    expect(started).toEqual(['a1', 'b1', 'a2', 'c1'])
    for (const name of ['b1', 'c1', 'a3']) {
      end(name)
      await turn()
    }
    expect(await Promise.all(results)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1'])
    expect(queue.waiting()).toBe(0)
  })

  it('refuses work when it is full, or full of one owner', async () => {
    const queue = workQueue(LIMITS)
    const { end, work } = controlled()
    const run = (name: string) => queue.run({ owner: name[0]!, signal }, work(name))
    const results = ['a1', 'a2', 'a3', 'b1', 'c1'].map(run)
    await expect(run('a4')).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(run('d1')).rejects.toMatchObject({ kind: 'unavailable' })
    for (const name of ['a1', 'b1', 'a2', 'c1', 'a3']) {
      end(name)
      await turn()
    }
    expect(await Promise.all(results)).toHaveLength(5)
  })

  it('runs nothing for a caller that has gone, and makes room for others', async () => {
    const queue = workQueue(LIMITS)
    const { started, end, work } = controlled()
    const gone = new AbortController()
    const first = queue.run({ owner: 'a', signal }, work('a1'))
    const left = queue.run({ owner: 'a', signal: gone.signal }, work('a2'))
    const next = queue.run({ owner: 'a', signal }, work('a3'))
    gone.abort()
    await expect(left).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(queue.run({ owner: 'b', signal: gone.signal }, work('b1'))).rejects.toMatchObject({ kind: 'unavailable' })
    expect(queue.waiting()).toBe(1)
    end('a1')
    await turn()
    end('a3')
    expect(await Promise.all([first, next])).toEqual(['a1', 'a3'])
    expect(started).toEqual(['a1', 'a3'])
  })

  it('goes on after work that failed', async () => {
    const queue = workQueue(LIMITS)
    const asked = { owner: 'a', signal }
    const failed = queue.run(asked, () => Promise.reject(new Error('no')))
    const next = queue.run(asked, async () => 'yes')
    await expect(failed).rejects.toThrow('no')
    expect(await next).toBe('yes')
    expect(await queue.run(asked, async () => 'again')).toBe('again')
  })
})
