import type { Person } from '@rookery/test-world'
import { expect } from 'vitest'
import { openDatabase } from '../packages/database/src/index.ts'

const TIMEOUT = 30_000

/** Answers that a server cannot keep: its process can be killed between an effect and its answer. */
type HeldAnswers = {
  /** Resolves when a list of the person's is there and its answer waits to be kept. */
  effectIsThere(): Promise<void>
  /** Lets go of the database, once the server is killed: its Postgres ends with it, and what sleeps in there is not done. */
  end(): Promise<void>
  /** Lets answers be kept again, once the server is back. Answers whether the one that was held is on record. */
  wasKept(): Promise<boolean>
}

/** What ends a session ends its sleep and undoes its statement. A lock would be no such hold: the session that has it may end first. */
const HOLD = `
  create function auth.hold_answer() returns trigger language plpgsql as $$ begin perform pg_sleep(600); return new; end $$;
  create trigger hold_answer before update of answer on auth.idempotent_request for each row execute function auth.hold_answer()`

const SLEEPING = "select 1 from pg_stat_activity where wait_event = 'PgSleep' and query like '%update idempotent_request set answer%'"

/** Holds the answer to a person's next list, in the database behind a socket: the list itself waits until its request is reserved. */
export const holdAnswers = async (socket: string, { id }: Person): Promise<HeldAnswers> => {
  const open = () => openDatabase({ url: `postgres://postgres@localhost:5432/rookery?host=${encodeURIComponent(socket)}`, connections: 3 })
  const database = open()
  const effects = await database.pool.connect()
  effects.on('error', () => {})
  const rows = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rowCount
  const isThere = (text: string, values: unknown[] = []) => expect.poll(() => rows(text, values), { timeout: TIMEOUT }).toBe(1)
  await effects.query('begin')
  await effects.query('select 1 from statuses.account where id = $1 for update', [id])
  return {
    async effectIsThere() {
      await isThere('select 1 from auth.idempotent_request where answer is null')
      await database.pool.query(HOLD)
      await effects.query('rollback')
      await isThere('select 1 from statuses.list where account_id = $1', [id])
      await isThere(SLEEPING)
    },
    async end() {
      effects.release(true)
      await database.close()
    },
    async wasKept() {
      const again = open()
      await again.pool.query('drop function auth.hold_answer cascade')
      const { rowCount } = await again.pool.query('select 1 from auth.idempotent_request where answer is not null')
      await again.close()
      return rowCount === 1
    },
  }
}
