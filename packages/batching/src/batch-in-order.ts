import type { OneAtATime } from './one-at-a-time.ts'
import { PassingMap } from './passing-map.ts'

/** The outcome of one item of a batch. */
export type Outcome<Result> = { result: Result } | { error: unknown }

type Waiting<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void }

/**
 * Batches the items of a key: when the key's turn comes in `inOrder`, all items that wait, up to `max`, are worked on in one batch, in the
 * order of the calls. An item alone is worked on at once. `work` returns an outcome for each item, in their order; if it throws, all of
 * them fail.
 */
export const batchInOrder = <Key, Item, Result>(
  inOrder: OneAtATime<Key>,
  work: (key: Key, items: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
  { max = 32 } = {},
): ((key: Key, item: Item) => Promise<Result>) => {
  const waiting = new PassingMap<Key, Waiting<Item, Result>[]>()

  const take = (key: Key): Waiting<Item, Result>[] => {
    const all = waiting.get(key) ?? []
    const taken = all.splice(0, max)
    if (all.length === 0) waiting.delete(key)
    return taken
  }

  const workOnWaiting = async (key: Key) => {
    const taken = take(key)
    // An earlier turn already took this item.
    if (taken.length === 0) return
    const items = taken.map(({ item }) => item)
    const outcomes = await work(key, items).catch((error: unknown) => items.map(() => ({ error })))
    for (const [index, { resolve, reject }] of taken.entries()) {
      const outcome = outcomes[index]!
      if ('error' in outcome) reject(outcome.error)
      else resolve(outcome.result)
    }
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const list = waiting.get(key)
      if (list) list.push({ item, resolve, reject })
      else waiting.set(key, [{ item, resolve, reject }])
      void inOrder(key, () => workOnWaiting(key))
    })
}
