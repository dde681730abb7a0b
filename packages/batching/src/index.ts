import { setImmediate as turn } from 'node:timers/promises'
import { after } from '@rookery/handles'
import { PassingMap } from './passing-map.ts'

export { batchInOrder, type Outcome } from './batch-in-order.ts'
export { cachedWhenLarge } from './cached-when-large.ts'
export { type OneAtATime, oneAtATime } from './one-at-a-time.ts'
export { PassingMap } from './passing-map.ts'
export { singleFlight } from './single-flight.ts'
export { staleWhileRevalidate } from './stale-while-revalidate.ts'
export { type Memory, type Remembered, untilChanged } from './until-changed.ts'

/** Loads many keys at once; answers by key. */
export type Load<Key, Value> = (keys: Key[]) => Promise<Map<Key, Value>>

type Caller<Value> = { resolve(value: Value | undefined): void; reject(error: unknown): void }
type Batch<Key, Value> = Map<Key, Caller<Value>[]>
type Waiting<Key, Value> = PassingMap<Key, Caller<Value>[]>

type Loaded<Key, Value> = { values: Map<Key, Value> } | { error: unknown }

const loaded = async <Key, Value>(load: Load<Key, Value>, keys: Key[]): Promise<Loaded<Key, Value>> => {
  try {
    return { values: await load(keys) }
  } catch (error) {
    return { error }
  }
}

/** Resolves or rejects all callers that wait for the keys of a batch. */
const answer = <Key, Value>(batch: Batch<Key, Value>, outcome: Loaded<Key, Value>): void => {
  for (const [key, callers] of batch)
    for (const caller of callers) {
      if ('error' in outcome) caller.reject(outcome.error)
      else caller.resolve(outcome.values.get(key))
    }
}

type BatchingOptions = {
  /** Maximum keys per load. */
  max?: number
  /** Maximum concurrent loads. */
  atOnce?: number
  /** How long to wait for the load under way before starting another beside it, in milliseconds. */
  patience?: number
  /** How many turns of the event loop an answer is delayed, so that keys requested meanwhile are loaded first. */
  turns?: number
}

/**
 * Collects keys into batches, as a dataloader does. At most `atOnce` loads run at a time; keys requested meanwhile join the next batch, of
 * up to `max` keys. A key requested while no load runs is loaded at once. With `patience`, another load starts only if the current one
 * takes longer than that. With `turns`, callers get their answers some turns of the event loop later, so that the next load is sent before
 * they do long work. Resolves to undefined for a key that the load does not answer; rejects with the load's error.
 */
export const batching = <Key, Value>(
  load: Load<Key, Value>,
  { max = 500, atOnce = 1, patience = 0, turns = 0 }: BatchingOptions = {},
): ((key: Key) => Promise<Value | undefined>) => {
  const waiting: Waiting<Key, Value> = new PassingMap()
  let loading = 0
  let isPatient = false

  const take = () => {
    const batch: Batch<Key, Value> = new Map()
    for (const [key, callers] of waiting) {
      if (batch.size === max) break
      batch.set(key, callers)
      waiting.delete(key)
    }
    return batch
  }

  const loadWaiting = async () => {
    if (waiting.size === 0) {
      loading--
      return
    }
    const batch = take()
    const outcome = await loaded(load, [...batch.keys()])
    // Sends the next batch before the callers of this one continue.
    void loadWaiting()
    for (let passed = 0; passed < turns; passed++) await turn()
    answer(batch, outcome)
  }

  const begin = () => {
    if (loading >= atOnce || waiting.size === 0) return
    loading++
    // Requests parsed in the same turn of the event loop share a batch.
    setImmediate(loadWaiting)
  }

  const wait = () => {
    if (isPatient || loading >= atOnce) return
    isPatient = true
    const look = () => {
      isPatient = false
      begin()
    }
    after(patience, look, { onError: () => {} })
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const callers = waiting.get(key)
      if (callers) callers.push({ resolve, reject })
      else waiting.set(key, [{ resolve, reject }])
      if (loading === 0 || patience === 0) begin()
      else wait()
    })
}
