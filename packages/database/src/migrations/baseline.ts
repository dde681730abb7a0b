import { readFile } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'

/** The initial state of a new schema: everything that earlier steps created, at once. */
export type Baseline = {
  /** The steps that it replaces, in order. A schema that has run them all continues after them. */
  readonly replaces: readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: as steps do
  up(db: Kysely<any>): Promise<void>
}

/** A baseline from a SQL file. */
export const baselineIn = (file: URL, replaces: readonly string[]): Baseline => ({
  replaces,
  up: async (db) => void (await sql.raw(await readFile(file, 'utf8')).execute(db)),
})
