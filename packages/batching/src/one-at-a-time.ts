import { PassingMap } from './passing-map.ts'

/** Runs work of one key after the other; returns what the work gives. */
export type OneAtATime<Key> = <Result>(key: Key, work: () => Promise<Result>) => Promise<Result>

/** Runs work of one key one after the other, in the order of the calls, and work of different keys side by side. */
export const oneAtATime = <Key>(): OneAtATime<Key> => {
  const last = new PassingMap<Key, Promise<unknown>>()
  return async (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work)
    // Work that fails fails its own caller alone.
    const done = turn.catch(() => {})
    last.set(key, done)
    try {
      return await turn
    } finally {
      if (last.get(key) === done) last.delete(key)
    }
  }
}
