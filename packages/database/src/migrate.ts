import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'

/** A service's steps from nothing to its schema, by name in order. A merged step never changes. */
export type MigrationSet = {
  /** Names the table that records which steps ran; one schema can hold several sets. */
  readonly name: string
  readonly steps: Readonly<Record<string, Migration>>
}

/** Held by whoever changes tables: finding out which there are fails while another service's are being made. */
const MIGRATION_LOCK = 7_266_836

/** Statements that take and give back the one lock of a database under which tables are changed, for migrations that are not ours. */
export const migrationLock = {
  take: `select pg_advisory_lock(${MIGRATION_LOCK})`,
  giveBack: `select pg_advisory_unlock(${MIGRATION_LOCK})`,
} as const

/** Runs the steps that have not run yet. Of several replicas and services at once, one runs and the others wait. @throws the step's error */
export const migrate = <Tables>(db: Kysely<Tables>, set: MigrationSet): Promise<void> =>
  db.connection().execute(async (connection) => {
    const migrator = new Migrator({
      db: connection,
      provider: { getMigrations: async () => ({ ...set.steps }) },
      migrationTableName: `${set.name}_migration`,
      migrationLockTableName: `${set.name}_migration_lock`,
    })
    await sql.raw(migrationLock.take).execute(connection)
    try {
      const { error } = await migrator.migrateToLatest()
      if (error) throw error
    } finally {
      await sql.raw(migrationLock.giveBack).execute(connection)
    }
  })
