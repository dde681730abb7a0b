import { type Database, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { MediaTables } from '../database/schema.ts'
import { discardUnnamed } from '../reaper/index.ts'
import type { Storage } from '../storage/index.ts'
import { type NamedFile, NamedFileReader } from './named-file.store.ts'

type Deps = { database: Database<MediaTables>; storage: Storage; clock: Clock }

type Compared = { compared: number; unknown: string[]; missing: NamedFile[]; lastKey: string }

const AT_A_TIME = 500
/** The maximum of the second listing: the page again, and as many files as may have been added since. */
const AGAIN = 2 * AT_A_TIME

/** The lowest of the last keys of the lists that are not complete; undefined if all are. */
const commonEnd = (...lists: (readonly string[])[]): string | undefined =>
  lists.flatMap((keys) => (keys.length === AT_A_TIME ? [keys.at(-1)!] : [])).sort()[0]

/**
 * Compares files with the records that name them, in batches after a key, and optionally deletes files without a record. Files are listed
 * before the records are read, and a record exists before its files: a file added meanwhile is never taken for unknown.
 */
export const compareFiles = ({ database, storage, clock }: Deps) => {
  const discard = discardUnnamed({ clock })

  /** Records whose files a second listing does not have either: a file may have been stored after the first one. */
  const stillMissing = async (afterKey: string, files: readonly NamedFile[]): Promise<NamedFile[]> => {
    if (files.length === 0) return []
    const keys = await storage.keysAfter(afterKey, AGAIN)
    const [there, end] = [new Set(keys), keys.length === AGAIN ? keys.at(-1)! : undefined]
    return files.filter(({ key }) => !there.has(key) && (!end || key < end))
  }

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
    const unseen = named.filter(({ key, isDone }) => isDone && !there.has(key))
    const missing = await stillMissing(afterKey, unseen)
    if (remove && unknown.length > 0) await transact(database.db, (tx) => discard(tx, unknown))
    const lastKey = [files.at(-1) ?? '', named.at(-1)?.key ?? ''].sort()[1]!
    return { compared: files.length + named.length, unknown, missing, lastKey }
  }
}
