import type { Person } from '@rookery/test-world'
import { expect } from 'vitest'
import { openDatabase } from '../packages/database/src/index.ts'

const TIMEOUT = 30_000

/** Answers that a server cannot keep: its process can be killed between an effect and its answer. */
export type HeldAnswers = {
  /** Resolves when a list of the person's is there and its answer waits to be kept. */
  effectIsThere(): Promise<void>
  /** Whether the answer is on record. */
  wasKept(): Promise<boolean>
  /** Lets go, once the server is killed: its Postgres ends with it, and what waits is not done. */
  end(): Promise<void>
}

const WAITING = "select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%update idempotent_request set answer%'"

/** Holds the answer to a person's next list, in the database behind a socket: the list itself waits until its request is reserved. */
export const holdAnswers = async (socket: string, { id }: Person): Promise<HeldAnswers> => {
  const open = () => openDatabase({ url: `postgres://postgres@localhost:5432/rookery?host=${encodeURIComponent(socket)}`, connections: 3 })
  const database = open()
  const [effects, answers] = [await database.pool.connect(), await database.pool.connect()]
  for (const client of [effects, answers]) client.on('error', () => {})
  const rows = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rowCount
  const isThere = (text: string, values: unknown[] = []) => expect.poll(() => rows(text, values), { timeout: TIMEOUT }).toBe(1)
  await effects.query('begin')
  await effects.query('select 1 from statuses.account where id = $1 for update', [id])
  return {
    async effectIsThere() {
      await isThere('select 1 from auth.idempotent_request where answer is null')
      await answers.query('begin')
      await answers.query('select 1 from auth.idempotent_request for update')
      await effects.query('rollback')
      await isThere('select 1 from statuses.list where account_id = $1', [id])
      await isThere(WAITING)
    },
    async wasKept() {
      const again = open()
      const { rowCount } = await again.pool.query('select 1 from auth.idempotent_request where answer is not null')
      await again.close()
      return rowCount === 1
    },
    async end() {
      // Postgres may have ended it by itself.
      await effects.query(`select pg_terminate_backend(pid, 5000) from (${WAITING}) waits`).catch(() => {})
      for (const client of [effects, answers]) client.release(true)
      await database.close()
    },
  }
}
