import { readFile } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'

/** What a new schema begins with: everything that the steps of before made, at once. */
export type Baseline = {
  /** The steps in whose place it stands, in their order. A schema that has had them all goes on from there. */
  readonly replaces: readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: as steps do
  up(db: Kysely<any>): Promise<void>
}

/** A baseline whose statements stand in a file. */
export const baselineIn = (file: URL, replaces: readonly string[]): Baseline => ({
  replaces,
  up: async (db) => void (await sql.raw(await readFile(file, 'utf8')).execute(db)),
})
