import { anyOf, applyPage, type Db, type Page, type Tx, transact } from '@rookery/database'
import { sql } from 'kysely'
import type { Message } from './bus.ts'
import { claimNew } from './processed.ts'
import type { EventTables } from './tables.ts'

/** A row of dead_letter. */
export type DeadLetterRow = {
  id: string
  consumer: string
  eventId: string
  topic: string
  key: string
  envelope: Buffer
  error: string
  failedAt: Date
}

// A consumer's database type has tables beside these; every database with consumers has these.
const eventsOf = <Tables extends EventTables>(db: Db<Tables>) => db as unknown as Db<EventTables>

const textOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))

/** Stores an event that a consumer cannot handle, once, and records it as handled so that the events after it continue. */
export const fileDeadLetter = <Tables extends EventTables>(
  db: Db<Tables>,
  { name: consumer, topic }: { name: string; topic: string },
  { message, id, error }: { message: Message; id: string; error: unknown },
): Promise<void> =>
  transact(eventsOf(db), async (tx) => {
    const fresh = await claimNew(tx, consumer, [id])
    if (!fresh.has(id)) return
    const { key, envelope } = message
    const letter = { consumer, eventId: id, topic, key, envelope: Buffer.from(envelope), error: textOf(error) }
    await tx.insertInto('deadLetter').values(letter).execute()
  })

const COLUMNS = ['id', 'consumer', 'eventId', 'topic', 'key', 'envelope', 'error', 'failedAt'] as const

/** Dead letters, newest first. */
export const readDeadLetters = async <Tables extends EventTables>(db: Db<Tables>, page: Page): Promise<DeadLetterRow[]> =>
  await applyPage(eventsOf(db).selectFrom('deadLetter').select(COLUMNS), 'id', page).execute()

/** The ids of all dead letters, in the order of their failures. */
export const readDeadLetterIds = async <Tables extends EventTables>(db: Db<Tables>): Promise<string[]> => {
  const rows = await eventsOf(db).selectFrom('deadLetter').select('id').orderBy('id').execute()
  return rows.map((row) => row.id)
}

/** The number of dead letters by consumer. */
export const countDeadLetters = async <Tables extends EventTables>(db: Db<Tables>): Promise<Map<string, number>> => {
  const count = sql<string>`count(*)`.as('count')
  const rows = await eventsOf(db).selectFrom('deadLetter').select(['consumer', count]).groupBy('consumer').execute()
  return new Map(rows.map((row) => [row.consumer, Number(row.count)]))
}

/** A dead letter; undefined when it is gone. */
export const readDeadLetter = async <Tables extends EventTables>(db: Db<Tables>, id: string): Promise<DeadLetterRow | undefined> =>
  await eventsOf(db).selectFrom('deadLetter').select(COLUMNS).where('id', '=', id).executeTakeFirst()

/** Locks a dead letter until the transaction ends; false if it is gone or another replay holds the lock. */
export const lockDeadLetter = async (tx: Tx<EventTables>, id: string): Promise<boolean> =>
  (await tx.selectFrom('deadLetter').select('id').where('id', '=', id).forUpdate().skipLocked().executeTakeFirst()) !== undefined

/** Deletes a dead letter after a successful replay. */
export const deleteDeadLetter = async (tx: Tx<EventTables>, id: string): Promise<void> => {
  await tx.deleteFrom('deadLetter').where('id', '=', id).execute()
}

/** Deletes dead letters and returns those that existed; waits for one that is being replayed. */
export const deleteDeadLetters = async <Tables extends EventTables>(db: Db<Tables>, ids: readonly string[]): Promise<DeadLetterRow[]> =>
  await eventsOf(db).deleteFrom('deadLetter').where('id', '=', anyOf(ids)).returning(COLUMNS).execute()

/** Records another failure of a dead letter. */
export const noteFailure = async <Tables extends EventTables>(db: Db<Tables>, id: string, error: unknown): Promise<void> => {
  await eventsOf(db)
    .updateTable('deadLetter')
    .set({ error: textOf(error), failedAt: sql`now()` })
    .where('id', '=', id)
    .execute()
}
