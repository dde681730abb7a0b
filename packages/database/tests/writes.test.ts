import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Database, openDatabase, prepared, type Remembered, transact, untilWritten } from '../src/index.ts'
import { tablesWritten } from '../src/writes.ts'
import { openSchema, type Tables } from './schema.ts'

describe('the tables that a statement writes', () => {
  test.each([
    ['select * from note', []],
    ['select * from note for update', []],
    ['insert into "note" (id) values ($1)', ['note']],
    ['INSERT INTO note SELECT 1', ['note']],
    ['update "one"."note" set text = $1', ['note']],
    ['update only note set text = $1', ['note']],
    ['delete from note where id = $1', ['note']],
    ['insert into note (id) values (1) on conflict (id) do update set text = $1', ['note', 'set']],
    [
      'with gone as (delete from note returning id), kept as (insert into other select id from gone) update third set x = 1',
      ['note', 'other', 'third'],
    ],
    ['merge into note using other on true when matched then delete', ['note']],
    ['truncate note', ['note']],
  ])('%s', (text, tables) => {
    expect(tablesWritten(text)).toEqual(tables)
  })
})

describe('what is remembered until it is written', () => {
  let schema: Awaited<ReturnType<typeof openSchema>>
  let database: Database<Tables>
  let statements = 0
  beforeAll(async () => {
    schema = await openSchema()
    database = openDatabase<Tables>({ url: schema.own.url('one'), isOnlyWriter: true, onStatement: () => void statements++ })
  })
  afterAll(async () => {
    await database.close()
    await schema.close()
  })

  const findTexts = async (ids: readonly string[]) =>
    (await sql<{ id: string; text: string }>`select id::text, text from note where id = any(${[...ids]}::bigint[])`.execute(database.db))
      .rows
  const reader = (pauseBefore = 0) => {
    const kept = new Map<string, Remembered<string>>()
    const load = async (ids: string[]) => {
      const rows = await findTexts(ids)
      if (pauseBefore > 0) await pause(pauseBefore)
      return new Map(rows.map(({ id, text }) => [id, text]))
    }
    const memory = {
      get: (key: string, isUsable: (entry: Remembered<string>) => boolean) => {
        const entry = kept.get(key)
        return entry && isUsable(entry) ? entry : undefined
      },
      set: (key: string, entry: Remembered<string>) => void kept.set(key, entry),
    }
    const read = untilWritten(load, { writes: database.writes, tables: ['note'], memory })
    return async (id: string) => (await read([id])).get(id)
  }
  const change = (text: string, id = '1') => database.db.updateTable('note').set({ text }).where('id', '=', id).execute()
  const costOf = async (work: () => Promise<unknown>) => {
    statements = 0
    await work()
    return statements
  }

  test('is read once, and again after a write', async () => {
    const read = reader()
    await change('first')
    expect(await read('1')).toBe('first')
    expect(await costOf(async () => expect(await read('1')).toBe('first'))).toBe(0)
    await change('second')
    expect(await costOf(async () => expect(await read('1')).toBe('second'))).toBe(1)
  })

  test('stands although other tables are written', async () => {
    const read = reader()
    await read('1')
    await sql`create temporary table other (id int)`.execute(database.db)
    await sql`insert into other values (1)`.execute(database.db)
    expect(await costOf(() => read('1'))).toBe(0)
  })

  test('is read each time while a transaction that wrote is open, and is neither old nor of the future', async () => {
    const read = reader()
    await change('before')
    await read('1')
    const { promise: isRead, resolve: letCommit } = Promise.withResolvers<void>()
    const { promise: isWritten, resolve: letRead } = Promise.withResolvers<void>()
    const writing = transact(database.db, async (tx) => {
      await tx.updateTable('note').set({ text: 'after' }).where('id', '=', '1').execute()
      letRead()
      await isRead
    })
    await isWritten
    for (const _ of [1, 2]) expect(await costOf(async () => expect(await read('1')).toBe('before'))).toBe(1)
    letCommit()
    await writing
    expect(await read('1')).toBe('after')
  })

  test('is read again after a transaction that was rolled back', async () => {
    const read = reader()
    await change('kept')
    await read('1')
    const failing = transact(database.db, async (tx) => {
      await tx.updateTable('note').set({ text: 'lost' }).where('id', '=', '1').execute()
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await costOf(async () => expect(await read('1')).toBe('kept'))).toBe(1)
    expect(await costOf(() => read('1'))).toBe(0)
  })

  test('is not kept when a write was answered while it was read', async () => {
    const read = reader(50)
    await change('old')
    const reading = read('1')
    await pause(10)
    await change('new')
    await reading
    expect(await read('1')).toBe('new')
  })

  test('is never older than the last acknowledged write, whatever is written at the same time', async () => {
    const act = fc.record({ id: fc.constantFrom('1', '2'), isCommitted: fc.boolean(), isTransaction: fc.boolean(), wait: fc.nat(3) })
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 12 }), async (acts) => {
        const read = reader()
        const acknowledged = new Map([
          ['1', 0],
          ['2', 0],
        ])
        await change('0 first', '1')
        await change('0 second', '2')
        let isDone = false
        const reads = async (id: string) => {
          while (!isDone) {
            const least = acknowledged.get(id)!
            const text = await read(id)
            expect(Number.parseInt(text!, 10)).toBeGreaterThanOrEqual(least)
            await pause(0)
          }
        }
        const writes = async () => {
          for (const [index, { id, isCommitted, isTransaction, wait }] of acts.entries()) {
            const text = `${index + 1} ${id}`
            if (!isTransaction) await change(text, id)
            else {
              await transact(database.db, async (tx) => {
                await tx.updateTable('note').set({ text }).where('id', '=', id).execute()
                await pause(wait)
                if (!isCommitted) throw new Error('rolled back')
              }).catch(() => {})
            }
            if (!isTransaction || isCommitted) acknowledged.set(id, index + 1)
          }
          isDone = true
        }
        await Promise.all([writes(), reads('1'), reads('2'), reads('1')])
      }),
      { numRuns: 25 },
    )
  })

  test('is asked for each time where other processes write too', async () => {
    expect(schema.database.writes).toBeUndefined()
    const load = async (keys: string[]) => new Map(keys.map((key) => [key, key]))
    expect(untilWritten(load, { writes: schema.database.writes, tables: ['note'], memory: new Map() as never })).toBe(load)
  })
})

describe('what follows a write', () => {
  let schema: Awaited<ReturnType<typeof openSchema>>
  let database: Database<Tables>
  let acts: string[]
  let act: () => Promise<void>
  beforeAll(async () => {
    schema = await openSchema()
    database = openDatabase<Tables>({ url: schema.own.url('one') })
    database.onWrite(['note', 'other'], async () => {
      acts.push('begun')
      await act()
      acts.push('done')
    })
  })
  beforeEach(() => {
    ;[acts, act] = [[], async () => {}]
  })
  afterAll(async () => {
    await database.close()
    await schema.close()
  })

  const update = (db: Pick<Database<Tables>['db'], 'updateTable'>, text = 'x') =>
    db.updateTable('note').set({ text }).where('id', '=', '1').execute()
  const ACTS = ['begun', 'done']

  test('is done before a single statement is answered, and after it took effect', async () => {
    await update(database.db, 'before')
    const seen: unknown[] = []
    act = async () => {
      seen.push(...(await schema.database.db.selectFrom('note').select('text').where('id', '=', '1').execute()))
    }
    acts = []
    await update(database.db, 'after')
    expect([acts, seen]).toEqual([ACTS, [{ text: 'after' }]])
  })

  test('is done before a transaction is answered, once for all it wrote, and after it took effect', async () => {
    const seen: unknown[] = []
    act = async () => {
      seen.push(...(await schema.database.db.selectFrom('note').select('text').where('id', '=', '1').execute()))
    }
    await transact(database.db, async (tx) => {
      await update(tx, 'first')
      await update(tx, 'last')
      expect(acts).toEqual([])
    })
    expect([acts, seen]).toEqual([ACTS, [{ text: 'last' }]])
  })

  test('is done after a failure too, whose effect is not known, and the failure stays what it was', async () => {
    const failing = transact(database.db, async (tx) => {
      await update(tx)
      await sql`select 1 / 0`.execute(tx)
    })
    await expect(failing).rejects.toThrow('division by zero')
    expect(acts).toEqual(ACTS)
    acts = []
    await expect(sql`update note set text = (1 / 0)::text`.execute(database.db)).rejects.toThrow('division by zero')
    expect(acts).toEqual(ACTS)
  })

  test('is done after a named statement, and one that failed', async () => {
    const write = prepared('write-note', ({ text }: { text: string }) => sql`update note set text = ${text} where id = 1`)
    await write(database, { text: 'named' })
    expect(acts).toEqual(ACTS)
    acts = []
    const failing = prepared('fail-note', ({ by }: { by: number }) => sql`update note set text = (1 / ${by}::int)::text where id = 1`)
    await expect(failing(database, { by: 0 })).rejects.toThrow('division by zero')
    expect(acts).toEqual(ACTS)
  })

  test('is nothing after a read, or a write to another table', async () => {
    await database.db.selectFrom('note').select('text').forUpdate().execute()
    await sql`create temporary table third (id int)`.execute(database.db)
    await sql`insert into third values (1)`.execute(database.db)
    expect(acts).toEqual([])
  })

  test('does not tell that this process alone writes', () => expect(database.writes).toBeUndefined())
})
