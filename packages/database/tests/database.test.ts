import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase, prepareDatabase, prepared, roleOf } from '../src/index.ts'
import { openSchema, type Tables } from './schema.ts'

describe('database', () => {
  let schema: Awaited<ReturnType<typeof openSchema>>
  beforeEach(async () => {
    schema = await openSchema()
  })
  afterEach(() => schema.close())

  const openAs = (role: string) => openDatabase<Tables>({ url: schema.own.url(role) })

  test('a role finds its own tables and can neither read nor write another’s', async () => {
    const other = openAs('other')
    await expect(sql`select text from note`.execute(other.db)).rejects.toThrow('does not exist')
    await expect(sql`select text from one.note`.execute(other.db)).rejects.toThrow('permission denied for schema one')
    await expect(sql`insert into one.note values (99, 'mine')`.execute(other.db)).rejects.toThrow('permission denied')
    await expect(sql`create table one.mine ()`.execute(other.db)).rejects.toThrow('permission denied')
    await expect(sql`create table public.mine ()`.execute(other.db)).rejects.toThrow('permission denied')
    await other.close()
  })

  test('preparing again, also by several at once, changes nothing', async () => {
    const url = schema.own.url('postgres')
    await Promise.all([1, 2, 3].map(() => prepareDatabase(url, [{ name: 'one' }, { name: 'third' }])))
    const third = openAs('third')
    expect((await sql<{ path: string }>`select current_schema() as path`.execute(third.db)).rows).toEqual([{ path: 'third' }])
    await third.close()
    expect(await schema.database.db.selectFrom('note').select('id').execute()).toHaveLength(10)
  })

  test('the same roles may be prepared in several databases of a server at once', async () => {
    const other = await openSchema()
    const urls = [schema, other].map(({ own }) => own.url('postgres'))
    for (let round = 0; round < 20; round++)
      await Promise.all(urls.map((url) => prepareDatabase(url, [{ name: 'one' }, { name: 'other' }])))
    await other.close()
  })

  test('roles that a server does not have yet may be made from several of its databases at once, with passwords', async () => {
    const others = await Promise.all([openSchema(), openSchema()])
    const urls = [schema, ...others].map(({ own }) => own.url('postgres'))
    const administrator = openAs('postgres')
    for (let round = 0; round < 20; round++) {
      const role = { name: `fresh_${process.pid}_${round}`, password: 'tea' }
      await Promise.all(urls.map((url) => prepareDatabase(url, [role])))
      const { rows } = await sql`select rolconfig[1] as path from pg_roles where rolname = ${role.name}`.execute(administrator.db)
      expect(rows).toEqual([{ path: `search_path=${role.name}` }])
    }
    await administrator.close()
    for (const other of others) await other.close()
  })

  test('connections that are kept are opened beforehand, as far as they can be had', async () => {
    const warm = openDatabase<Tables>({ url: schema.own.url('other'), minConnections: 3 })
    const sessions = () =>
      sql<{ pid: number }>`select pid from pg_stat_activity where usename = 'other' and datname = current_database()`.execute(
        schema.database.db,
      )
    const before = (await sessions()).rows.length
    await warm.warm()
    expect((await sessions()).rows.length - before).toBe(3)
    expect(warm.pool.idleCount).toBe(3)
    await warm.close()
    const away = openDatabase<Tables>({ url: 'postgres://other@127.0.0.1:1/none', minConnections: 3 })
    await away.warm()
    expect(away.pool.totalCount).toBe(0)
    await away.close()
  })

  test('a role whose url has a password is given it', async () => {
    const url = new URL(schema.own.url('third'))
    url.password = 'p%40ss word'
    const role = roleOf(url.href)
    expect(role).toEqual({ name: 'third', password: 'p@ss word' })
    expect(roleOf(schema.own.url('one'))).toEqual({ name: 'one' })
    await prepareDatabase(schema.own.url('postgres'), [role])
    const administrator = openAs('postgres')
    const { rows } = await sql<{ rolpassword: string }>`select rolpassword from pg_authid where rolname = 'third'`.execute(administrator.db)
    expect(rows[0]?.rolpassword).toMatch(/^SCRAM-SHA-256/)
    await administrator.close()
  })

  test('statements are prepared by their text, and every one is counted', async () => {
    const { database, statements } = schema
    statements.length = 0
    const read = prepared('note_text', ({ id }: { id: string }) => sql<{ text: string }>`select text from note where id = ${id}`)
    expect(await read(database, { id: '3' })).toEqual([{ text: 'note 3' }])
    await database.db.selectFrom('note').select('id').where('text', '=', 'note 1').execute()
    await database.db.selectFrom('note').select('id').where('text', '=', 'note 2').execute()
    expect(statements).toHaveLength(3)
    const one = openDatabase<Tables>({ url: schema.own.url('one'), connections: 1 })
    await one.db.selectFrom('note').select('id').where('text', '=', 'note 1').execute()
    const kept = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(one.db)
    expect(kept.rows).toEqual([{ statement: 'select "id" from "note" where "text" = $1' }])
    await one.close()
  })

  test('a connection that broke is notified of, and the next statement has a new one', async () => {
    const faults: Error[] = []
    const database = openDatabase<Tables>({ url: schema.own.url('one'), connections: 1, onError: (error) => faults.push(error) })
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.db)
    const administrator = openAs('postgres')
    await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(administrator.db)
    await administrator.close()
    await expect.poll(() => faults.length).toBe(1)
    expect(await database.db.selectFrom('note').select('id').execute()).toHaveLength(10)
    await database.close()
  })
})
