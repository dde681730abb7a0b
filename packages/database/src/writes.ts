import { type Memory, untilChanged } from '@rookery/batching'

/** Tracks a process's own writes to the tables of a schema. */
export type Writes = {
  /** Changes whenever one of the tables may have changed; undefined while a write to one of them is under way. */
  stampOf(tables: readonly string[]): number | undefined
}

/** Tracks the statements of one connection. */
export type WritesOfConnection = {
  /** A statement is sent. Returns a function to call once it was answered or failed; its sender waits for the returned promise. */
  sent(text: string): () => Promise<unknown> | undefined
  /** The connection was returned to the pool; an open transaction is rolled back. */
  released(): void
}

/** A callback after a write. It must not reject. */
type Act = () => Promise<void>

export type WritesWatch = Writes & {
  connection(): WritesOfConnection
  /** Calls `act` after a write to one of the tables was answered or failed, before the writer continues. */
  onWrite(tables: readonly string[], act: Act): void
}

const WRITE = /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate)\s+(?:only\s+)?(?:"?\w+"?\.)?"?(\w+)"?/gi
const BEGIN = /^\s*(?:begin|start\s+transaction)\b/i
const END = /^\s*(?:commit|rollback(?!\s+to))\b/i
/** Maximum texts whose tables are cached; there are about as many prepared statements. */
const MAX_TEXTS = 2000

/** The tables that a statement writes. A word after `for update` may be among them, but matches no table. */
export const tablesWritten = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(WRITE)].map(([, table]) => table!.toLowerCase())),
]

type Table = { changes: number; underWay: number; readonly acts: Set<Act> }

/** Tracks the writes of one connection: the tables of a transaction change at its end, those of a single statement with its answer. */
const watchConnection = (tablesOf: (text: string) => readonly Table[]): WritesOfConnection => {
  const writing = new Set<Table>()
  let isInTransaction = false
  const finish = () => {
    isInTransaction = false
    if (writing.size === 0) return undefined
    const acts = new Set<Act>()
    for (const table of writing) {
      table.underWay--
      table.changes++
      for (const act of table.acts) acts.add(act)
    }
    writing.clear()
    return acts.size > 0 ? Promise.all([...acts].map((act) => act())) : undefined
  }
  const answered = () => (isInTransaction ? undefined : finish())
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
    released: () => void finish(),
  }
}

/**
 * Tracks the writes of a process, by the texts of its statements. Changes by triggers and foreign keys are not seen: a load that reads such
 * tables must also name the table that triggers the change. A read that began while no write was under way, and ended with the same stamp,
 * is valid until the stamp changes.
 */
export const watchWrites = (): WritesWatch => {
  const tables = new Map<string, Table>()
  const texts = new Map<string, readonly string[]>()
  const tableOf = (name: string): Table => {
    const known = tables.get(name)
    if (known) return known
    const made = { changes: 0, underWay: 0, acts: new Set<Act>() }
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
    onWrite(names, act) {
      for (const name of names) tableOf(name).acts.add(act)
    },
  }
}

/**
 * Caches the answers of a load until this process writes one of the tables it reads, for a second at most. Without `writes`, which only the
 * sole writer of a schema has, nothing is cached.
 */
export const untilWritten = <Value>(
  load: (keys: string[]) => Promise<Map<string, Value>>,
  given: { writes: Writes | undefined; tables: readonly string[]; memory: Memory<Value> },
): ((keys: string[]) => Promise<Map<string, Value>>) => {
  const { writes, tables, memory } = given
  return writes ? untilChanged(load, { stamp: () => writes.stampOf(tables), memory }) : load
}
