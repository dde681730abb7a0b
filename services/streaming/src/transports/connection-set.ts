/** The open connections of a transport. */
type ConnectionSet<Key, Value> = {
  readonly entries: ReadonlyMap<Key, Value>
  add(key: Key, value: Value): void
  remove(key: Key): void
  /** Resolves when no connection is open. */
  whenEmpty(): Promise<void>
}

/** An empty set. */
export const createConnectionSet = <Key, Value>(): ConnectionSet<Key, Value> => {
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
