import { PassingMap } from './passing-map.ts'

/** Runs work of a key after the earlier work of that key; resolves to its result. */
export type OneAtATime<Key> = <Result>(key: Key, work: () => Promise<Result>) => Promise<Result>

/** A queue per key: work of one key runs one after the other, in the order of the calls; work of different keys runs concurrently. */
export const oneAtATime = <Key>(): OneAtATime<Key> => {
  const last = new PassingMap<Key, Promise<unknown>>()
  return async (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work)
    // A failure reaches only the caller of that work, not the work queued behind it.
    const done = turn.catch(() => {})
    last.set(key, done)
    try {
      return await turn
    } finally {
      if (last.get(key) === done) last.delete(key)
    }
  }
}
