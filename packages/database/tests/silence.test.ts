import { isOutage } from '@rookery/failures'
import { startPostgresProxy } from '@rookery/test-stores'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Database, openDatabase, openSession, prepared, type SessionLimits, transact, withStatementLimit } from '../src/index.ts'
import { openSchema, type Tables } from './schema.ts'

/** Far apart, so that the test shows which one applied. */
const SHORT: SessionLimits = { connect: 1000, silence: 100, statement: 60_000 }

const one = prepared('one', () => sql<{ one: number }>`select 1 as one`)

describe('sessions whose connections die without a word', () => {
  let schema: Awaited<ReturnType<typeof openSchema>>
  let proxy: Awaited<ReturnType<typeof startPostgresProxy>>
  const opened: Database<Tables>[] = []
  beforeEach(async () => {
    schema = await openSchema()
    proxy = await startPostgresProxy(schema.own.url)
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()))
    await proxy.close()
    await schema.close()
  })

  const open = (limits: Partial<SessionLimits> = {}, connections = 4) => {
    const database = openDatabase<Tables>({ url: proxy.url('one'), connections, limits: { ...SHORT, ...limits } })
    opened.push(database)
    return database
  }
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => 'answered',
      (error: Error) => error,
    )
  /** The states of the role's sessions on the server, except this one. */
  const backends = async () => {
    const text = `select state from pg_stat_activity where usename = 'one' and datname = $1 and pid <> pg_backend_pid()`
    return (await schema.database.pool.query(text, [schema.own.name])).rows.map(({ state }) => state as string)
  }

  test('a statement on one fails as an outage, the pool replaces all that are idle, and the next statement is answered', async () => {
    const database = open()
    await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.05)`.execute(database.db)))
    expect(database.pool.totalCount).toBe(3)
    proxy.dropOpenFlows()
    const error = await failureOf(one(database, {}))
    expect(isOutage(error)).toBe(true)
    const [, seconds] = /^Postgres did not answer for ([\d.]+) seconds$/.exec((error as Error).message) ?? []
    expect(Number(seconds) * 1000).toBeLessThan(SHORT.statement / 2)
    // At the first attempt: none of the connections that died with it is handed out.
    expect(await one(database, {})).toEqual([{ one: 1 }])
    expect(database.pool.totalCount).toBe(1)
  })

  test('a statement that the server works on is waited for, however many looks that takes', async () => {
    const database = open()
    const looks = performance.now()
    await sql`select pg_sleep(0.5)`.execute(database.db)
    expect(performance.now() - looks).toBeGreaterThan(450)
    expect(database.pool.totalCount).toBe(1)
  })

  test('a statement that takes longer than its limit fails, and the server stops working on it', async () => {
    const database = open({ statement: 300 })
    expect(isOutage(await failureOf(sql`select pg_sleep(60)`.execute(database.db)))).toBe(true)
    await expect.poll(backends).not.toContain('active')
  })

  test('work with a limit of its own may take that long, also when it waited for a connection', async () => {
    const database = open({ statement: 300 }, 1)
    const sleep = prepared('sleep', () => sql`select pg_sleep(0.5)`)
    const [first, second] = withStatementLimit(60_000, () => [sleep(database, {}), sleep(database, {})])
    await Promise.all([first, second])
    expect(isOutage(await failureOf(sleep(database, {})))).toBe(true)
  })

  test('rows that keep coming are an answer', async () => {
    const database = open({ statement: 200 })
    const rows = await sql`select pg_sleep(0.05), repeat('x', 20000) from generate_series(1, 12)`.execute(database.db)
    expect(rows.rows).toHaveLength(12)
  })

  test('what a dead session had locked is free at once, and nothing of its transaction is kept', async () => {
    const database = open()
    const writing = transact(database.db, async (tx) => {
      await tx.updateTable('note').set({ text: 'never' }).where('id', '=', '1').execute()
      proxy.dropOpenFlows()
      await tx.updateTable('note').set({ text: 'never' }).where('id', '=', '2').execute()
    })
    expect(isOutage(await failureOf(writing))).toBe(true)
    await schema.database.db.updateTable('note').set({ text: 'kept' }).where('id', '=', '1').execute()
    expect(await database.db.selectFrom('note').select('text').where('id', 'in', ['1', '2']).orderBy('id').execute()).toEqual([
      { text: 'kept' },
      { text: 'note 2' },
    ])
  })

  test('while the server is silent nothing waits for longer than the limits, and it is used again when it answers', async () => {
    const database = open({ connect: 200, statement: 400 })
    await one(database, {})
    proxy.silence()
    const errors = await Promise.all(Array.from({ length: 6 }, () => failureOf(one(database, {}))))
    expect(errors.map(isOutage)).toEqual(errors.map(() => true))
    expect(isOutage(await failureOf(one(database, {})))).toBe(true)
    proxy.heal()
    expect(await one(database, {})).toEqual([{ one: 1 }])
  })

  test('a session of its own reports its end, and gives its advisory lock back', async () => {
    const lost = await openSession({ url: proxy.url('one'), limits: SHORT })
    await lost.query('select pg_advisory_lock(7)')
    const ended = new Promise((resolve) => lost.once('end', () => resolve('ended')))
    proxy.dropOpenFlows()
    expect(isOutage(await failureOf(lost.query('select 1')))).toBe(true)
    expect(await ended).toBe('ended')
    await expect.poll(async () => (await schema.database.pool.query('select pg_try_advisory_lock(7) as free')).rows[0].free).toBe(true)
  })

  test('a session asks for limits of the server, and a url may say more', async () => {
    const url = new URL(proxy.url('one'))
    url.searchParams.set('options', '-c statement_timeout=7s -c idle_in_transaction_session_timeout=9s')
    url.searchParams.set('application_name', 'ein Dienst namens Möwe')
    const session = await openSession({ url: url.href, settings: { idle_session_timeout: '20s' } })
    const shown = async (name: string) => (await session.query(`show ${name}`)).rows[0][name]
    expect(await shown('client_connection_check_interval')).toBe('5s')
    expect(await shown('idle_in_transaction_session_timeout')).toBe('9s')
    expect(await shown('idle_session_timeout')).toBe('20s')
    expect(await shown('statement_timeout')).toBe('7s')
    expect(await shown('application_name')).toMatch(/^ein Dienst namens M\?+we-[0-9a-f]{12}$/)
    await session.end()
  })
})
