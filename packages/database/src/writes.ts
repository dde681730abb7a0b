/** What a process knows of its own writes to the tables of a schema. */
export type Writes = {
  /** Changes whenever one of the tables may have changed; undefined while a write to one of them is under way. */
  stampOf(tables: readonly string[]): number | undefined
}

/** A connection's part in it: what it sends, and when that was answered. */
export type WritesOfConnection = {
  /** A statement is sent. Returns what to call once it was answered, or failed. */
  sent(text: string): () => void
  /** The connection is given back; a transaction that it has not ended is rolled back. */
  released(): void
}

export type WritesWatch = Writes & { connection(): WritesOfConnection }

const WRITE = /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate)\s+(?:only\s+)?(?:"?\w+"?\.)?"?(\w+)"?/gi
const BEGIN = /^\s*(?:begin|start\s+transaction)\b/i
const END = /^\s*(?:commit|rollback(?!\s+to))\b/i
/** Texts whose tables are kept; there are about as many prepared statements. */
const MAX_TEXTS = 2000

/** The tables that a statement names as written to; a word after `for update` may be among them, and matches no table. */
export const tablesWritten = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(WRITE)].map(([, table]) => table!.toLowerCase())),
]

type Table = { changes: number; underWay: number }

/** Follows what one connection writes: a transaction's tables have changed when it ends, those of a single statement when it was answered. */
const watchConnection = (tablesOf: (text: string) => readonly Table[]): WritesOfConnection => {
  const writing = new Set<Table>()
  let isInTransaction = false
  const finish = () => {
    for (const table of writing) {
      table.underWay--
      table.changes++
    }
    writing.clear()
    isInTransaction = false
  }
  const answered = () => {
    if (!isInTransaction) finish()
  }
  return {
    sent(text) {
      if (BEGIN.test(text)) isInTransaction = true
      if (END.test(text)) return finish
      for (const table of tablesOf(text)) {
        if (writing.has(table)) continue
        table.underWay++
        writing.add(table)
      }
      return answered
    },
    released: finish,
  }
}

/**
 * Watches the writes of a process, by the texts of all statements it sends. Tables that a trigger or a foreign key changes are not seen:
 * a load that reads them also names the table that sets it off. A statement that reads while no write is under way, and after which the stamp is
 * the same, has read what is true until the stamp changes.
 */
export const watchWrites = (): WritesWatch => {
  const tables = new Map<string, Table>()
  const texts = new Map<string, readonly string[]>()
  const tableOf = (name: string): Table => {
    const known = tables.get(name)
    if (known) return known
    const made = { changes: 0, underWay: 0 }
    tables.set(name, made)
    return made
  }
  const writtenBy = (text: string): readonly string[] => {
    const known = texts.get(text)
    if (known) return known
    const written = tablesWritten(text)
    if (texts.size < MAX_TEXTS) texts.set(text, written)
    return written
  }

  return {
    stampOf(names) {
      let stamp = 0
      for (const name of names) {
        const table = tableOf(name)
        if (table.underWay > 0) return undefined
        stamp += table.changes
      }
      return stamp
    },
    connection: () => watchConnection((text) => writtenBy(text).map(tableOf)),
  }
}

/** How long something may be remembered that another process could have changed, in milliseconds. */
const MAX_AGE = 1000

export type Remembered<Value> = { readonly value: Value; readonly stamp: number; readonly at: number }

/** Where values are remembered: a cache, which may forget them at any time. */
type Memory<Value> = {
  get(key: string, isUsable: (entry: Remembered<Value>) => boolean): Remembered<Value> | undefined
  set(key: string, entry: Remembered<Value>): void
}

const recall = <Value>(memory: Memory<Value>, keys: readonly string[], isUsable: (entry: Remembered<Value>) => boolean) => {
  const found = new Map<string, Value>()
  for (const key of keys) {
    const known = memory.get(key, isUsable)
    if (known) found.set(key, known.value)
  }
  return found
}

/**
 * A load whose answers stand until one of the tables it reads is written by this process, and for a second at most. Without `writes`, which only
 * a process has that alone writes its schema, everything is loaded each time. A key that the load does not answer is not remembered.
 */
export const untilWritten = <Value>(
  load: (keys: string[]) => Promise<Map<string, Value>>,
  given: { writes: Writes | undefined; tables: readonly string[]; memory: Memory<Value> },
): ((keys: string[]) => Promise<Map<string, Value>>) => {
  const { writes, tables, memory } = given
  if (!writes) return load
  return async (keys) => {
    const stamp = writes.stampOf(tables)
    if (stamp === undefined) return load(keys)
    const at = performance.now()
    const found = recall(memory, keys, (entry) => entry.stamp === stamp && at - entry.at < MAX_AGE)
    const missing = keys.filter((key) => !found.has(key))
    if (missing.length === 0) return found
    const loaded = await load(missing)
    const isStanding = writes.stampOf(tables) === stamp
    for (const [key, value] of loaded) {
      found.set(key, value)
      if (isStanding) memory.set(key, { value, stamp, at })
    }
    return found
  }
}
