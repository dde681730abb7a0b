import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'

/** A service's steps from nothing to its schema, by name in order. A merged step never changes. */
export type MigrationSet = {
  /** Names the table that records which steps ran; one schema can hold several sets. */
  readonly name: string
  readonly steps: Readonly<Record<string, Migration>>
}

/** Runs the steps that have not run yet. Of several replicas at once, one runs them and the others wait. @throws the step's error */
export const migrate = async <Tables>(db: Kysely<Tables>, set: MigrationSet): Promise<void> => {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...set.steps }) },
    migrationTableName: `${set.name}_migration`,
    migrationLockTableName: `${set.name}_migration_lock`,
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
