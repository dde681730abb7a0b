import { setImmediate as turn } from 'node:timers/promises'
import { after } from '@rookery/handles'
import { PassingMap } from './passing-map.ts'

export { cachedWhenLarge } from './cached-when-large.ts'
export { type OneAtATime, oneAtATime } from './one-at-a-time.ts'
export { PassingMap } from './passing-map.ts'
export { revalidated } from './revalidated.ts'
export { singleFlight } from './single-flight.ts'
export { type Outcome, togetherInOrder } from './together-in-order.ts'
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

/** Answers everyone who waits for a key of a batch. */
const answer = <Key, Value>(batch: Batch<Key, Value>, outcome: Loaded<Key, Value>): void => {
  for (const [key, callers] of batch)
    for (const caller of callers) {
      if ('error' in outcome) caller.reject(outcome.error)
      else caller.resolve(outcome.values.get(key))
    }
}

type BatchingOptions = {
  /** Keys of a load at most. */
  max?: number
  /** Loads under way at most. */
  atOnce?: number
  /** How long a load is waited for before another one begins beside it, in milliseconds. */
  patience?: number
  /** Turns of the event loop for which an answer is held back, so that callers yet to ask are loaded first. */
  turns?: number
}

/**
 * Collects keys into loads, of which one is under way, or `atOnce`; keys asked for meanwhile wait for the next. A key alone is loaded at once; under
 * load batches grow to `max` keys. With `patience` a further load begins only when one takes longer than that. With `turns` callers get their answer
 * some turns of the event loop later, so that the next load is sent before they do long work on it. Resolves to undefined for a key the load did
 * not answer; rejects with the load's error.
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
    // The next load is under way while those of this one go on.
    void loadWaiting()
    for (let passed = 0; passed < turns; passed++) await turn()
    answer(batch, outcome)
  }

  const begin = () => {
    if (loading >= atOnce || waiting.size === 0) return
    loading++
    // Requests parsed in the same turn of the event loop share the load.
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
