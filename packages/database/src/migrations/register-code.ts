import { randomUUID } from 'node:crypto'
import { every } from '@rookery/handles'
import { CompiledQuery, type Kysely } from 'kysely'
import { deleteRunningCode, prepareLedger, upsertRunningCode } from './migration.store.ts'
import { withMigrationLock } from './migration-lock.ts'
import type { MigrationSet } from './migration-set.ts'

const EVERY_MILLISECONDS = 15_000

/** The registration of running code. */
type RegisteredCode = { close(): Promise<void> }

/**
 * Registers in a schema, while this process runs, which steps its code knows, so that no migration removes what it needs. Must precede the
 * first read of the schema, and is renewed every 15 seconds, or `everyMilliseconds`. A process that dies counts as gone after a minute and
 * a half.
 */
export const registerCode = async <Tables>(
  db: Kysely<Tables>,
  sets: readonly MigrationSet[],
  { onError, everyMilliseconds = EVERY_MILLISECONDS }: { onError: (error: unknown) => void; everyMilliseconds?: number },
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
  let saying: Promise<void> | undefined
  const say = () => {
    saying ??= upsertRunningCode(db, process, sets).finally(() => {
      saying = undefined
    })
    return saying
  }
  const timer = every(everyMilliseconds, say, { onError, holdsProcess: false })
  return {
    close: async () => {
      timer.stop()
      // A renewal under way would recreate the record after its deletion.
      await saying?.catch(() => {})
      await deleteRunningCode(db, process)
    },
  }
}
