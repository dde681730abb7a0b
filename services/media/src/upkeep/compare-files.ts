import { type Database, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { MediaTables } from '../database/schema.ts'
import { discardUnnamed } from '../reaper/index.ts'
import type { Storage } from '../storage/index.ts'
import { type NamedFile, NamedFileReader } from './named-file.store.ts'

type Deps = { database: Database<MediaTables>; storage: Storage; clock: Clock }

type Compared = { compared: number; unknown: string[]; missing: NamedFile[]; lastKey: string }

const AT_A_TIME = 500

/** The lesser of the last keys of lists that go on behind them; nothing when all are whole. */
const commonEnd = (...lists: (readonly string[])[]): string | undefined =>
  lists.flatMap((keys) => (keys.length === AT_A_TIME ? [keys.at(-1)!] : [])).sort()[0]

/**
 * Compares files with the records that name them, some hundred at a time after a key, and has those deleted that none names if asked to.
 * Files are listed before the records are read, and a record is there before its files: none that comes meanwhile is taken for unknown.
 */
export const compareFiles = ({ database, storage, clock }: Deps) => {
  const discard = discardUnnamed({ clock })
  return async ({ afterKey, remove }: { afterKey: string; remove: boolean }): Promise<Compared> => {
    const listed = await storage.keysAfter(afterKey, AT_A_TIME)
    const read = await new NamedFileReader(database.db).between(afterKey, commonEnd(listed), AT_A_TIME)
    const end = commonEnd(
      listed,
      read.map(({ key }) => key),
    )
    const [files, named] = [listed.filter((key) => !end || key <= end), read.filter(({ key }) => !end || key <= end)]
    const [known, there] = [new Set(named.map(({ key }) => key)), new Set(files)]
    const unknown = files.filter((key) => !known.has(key))
    const missing: NamedFile[] = []
    for (const each of named) if (each.isDone && !there.has(each.key) && !(await storage.open(each.key))) missing.push(each)
    if (remove && unknown.length > 0) await transact(database.db, (tx) => discard(tx, unknown))
    const lastKey = [files.at(-1) ?? '', named.at(-1)?.key ?? ''].sort()[1]!
    return { compared: files.length + named.length, unknown, missing, lastKey }
  }
}
