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

// A consumer knows tables of its own beside these; a database with these has those too.
const eventsOf = <Tables extends EventTables>(db: Db<Tables>) => db as unknown as Db<EventTables>

const textOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))

/** Stores an event that a consumer cannot act on, once, and marks it as handled so that the others go on. */
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

/** Letters, newest first. */
export const readDeadLetters = async <Tables extends EventTables>(db: Db<Tables>, page: Page): Promise<DeadLetterRow[]> =>
  await applyPage(eventsOf(db).selectFrom('deadLetter').select(COLUMNS), 'id', page).execute()

/** The ids of all letters, in the order they failed in. */
export const readDeadLetterIds = async <Tables extends EventTables>(db: Db<Tables>): Promise<string[]> => {
  const rows = await eventsOf(db).selectFrom('deadLetter').select('id').orderBy('id').execute()
  return rows.map((row) => row.id)
}

/** How many letters there are, by consumer. */
export const countDeadLetters = async <Tables extends EventTables>(db: Db<Tables>): Promise<Map<string, number>> => {
  const count = sql<string>`count(*)`.as('count')
  const rows = await eventsOf(db).selectFrom('deadLetter').select(['consumer', count]).groupBy('consumer').execute()
  return new Map(rows.map((row) => [row.consumer, Number(row.count)]))
}

/** The letter, or undefined when it is gone. */
export const readDeadLetter = async <Tables extends EventTables>(db: Db<Tables>, id: string): Promise<DeadLetterRow | undefined> =>
  await eventsOf(db).selectFrom('deadLetter').select(COLUMNS).where('id', '=', id).executeTakeFirst()

/** Locks a letter until the transaction ends; false when it is gone or another replay has it. */
export const lockDeadLetter = async (tx: Tx<EventTables>, id: string): Promise<boolean> =>
  (await tx.selectFrom('deadLetter').select('id').where('id', '=', id).forUpdate().skipLocked().executeTakeFirst()) !== undefined

/** Deletes a letter whose event was acted on after all. */
export const deleteDeadLetter = async (tx: Tx<EventTables>, id: string): Promise<void> => {
  await tx.deleteFrom('deadLetter').where('id', '=', id).execute()
}

/** Deletes letters and returns those that were there; one that is being replayed is waited for. */
export const deleteDeadLetters = async <Tables extends EventTables>(db: Db<Tables>, ids: readonly string[]): Promise<DeadLetterRow[]> =>
  await eventsOf(db).deleteFrom('deadLetter').where('id', '=', anyOf(ids)).returning(COLUMNS).execute()

/** Notes that a letter failed once more. */
export const noteFailure = async <Tables extends EventTables>(db: Db<Tables>, id: string, error: unknown): Promise<void> => {
  await eventsOf(db)
    .updateTable('deadLetter')
    .set({ error: textOf(error), failedAt: sql`now()` })
    .where('id', '=', id)
    .execute()
}
