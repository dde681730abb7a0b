/** What a transport holds open. */
export type Held<Key, Value> = {
  readonly entries: ReadonlyMap<Key, Value>
  add(key: Key, value: Value): void
  remove(key: Key): void
  /** Resolves when nothing is held any more. */
  whenEmpty(): Promise<void>
}

/** Holds nothing yet. */
export const createHeld = <Key, Value>(): Held<Key, Value> => {
  const entries = new Map<Key, Value>()
  let emptied = () => {}
  return {
    entries,
    add: (key, value) => void entries.set(key, value),
    remove(key) {
      entries.delete(key)
      if (entries.size === 0) emptied()
    },
    whenEmpty: () =>
      new Promise((resolve) => {
        emptied = resolve
        if (entries.size === 0) resolve()
      }),
  }
}
