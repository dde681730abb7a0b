import { randomUUID } from 'node:crypto'
import { every } from '@rookery/handles'
import { CompiledQuery, type Kysely } from 'kysely'
import { deleteRunningCode, prepareLedger, upsertRunningCode } from './migration.store.ts'
import { withMigrationLock } from './migration-lock.ts'
import type { MigrationSet } from './migration-set.ts'

const EVERY_MILLISECONDS = 15_000

/** Code that others know to be running. */
type RegisteredCode = { close(): Promise<void> }

/**
 * Says in a schema, for as long as this process runs, which steps its code knows: no one then takes away what it needs. To be said before
 * the schema is looked at. A process that dies is known to be gone after a minute and a half.
 */
export const registerCode = async <Tables>(
  db: Kysely<Tables>,
  sets: readonly MigrationSet[],
  { onError }: { onError: (error: unknown) => void },
): Promise<RegisteredCode> => {
  const process = randomUUID()
  await db.connection().execute((connection) =>
    withMigrationLock(
      (text) => connection.executeQuery(CompiledQuery.raw(text)),
      async () => {
        for (const set of sets) await prepareLedger(connection, set)
        await upsertRunningCode(connection, process, sets)
      },
    ),
  )
  const timer = every(EVERY_MILLISECONDS, () => upsertRunningCode(db, process, sets), { onError, holdsProcess: false })
  return {
    close: async () => {
      timer.stop()
      await deleteRunningCode(db, process)
    },
  }
}
