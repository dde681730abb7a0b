import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { afterCommit, isUniqueViolation, openDatabase, prepared, transact } from '../src/index.ts'
import { openSchema, type Tables } from './schema.ts'

describe('transact', () => {
  let schema: Awaited<ReturnType<typeof openSchema>>
  beforeEach(async () => {
    schema = await openSchema()
  })
  afterEach(() => schema.close())

  const count = async () => (await schema.database.db.selectFrom('note').select('id').execute()).length
  const refusal = 'The pool was used inside a transaction'

  test('keeps all of it or nothing', async () => {
    const { db } = schema.database
    await transact(db, (tx) => tx.insertInto('note').values({ id: '11', text: 'kept' }).execute())
    const failing = transact(db, async (tx) => {
      await tx.insertInto('note').values({ id: '12', text: 'lost' }).execute()
      throw new Error('after all not')
    })
    await expect(failing).rejects.toThrow('after all not')
    expect(await count()).toBe(11)
  })

  test('refuses its own pool inside, by any way it is reached', async () => {
    const { database } = schema
    const read = prepared('one_note', ({ id }: { id: string }) => sql<{ text: string }>`select text from note where id = ${id}`)
    await expect(transact(database.db, () => database.db.selectFrom('note').select('id').execute())).rejects.toThrow(refusal)
    await expect(transact(database.db, () => transact(database.db, async () => {}))).rejects.toThrow(refusal)
    await expect(transact(database.db, () => read(database, { id: '1' }))).rejects.toThrow(refusal)
  })

  test('refuses it also inside the transaction of another pool, and lets the other be used', async () => {
    const { database } = schema
    const other = openDatabase<Tables>({ url: schema.own.url('one') })
    const nested = transact(database.db, () => transact(other.db, () => database.db.selectFrom('note').select('id').execute()))
    await expect(nested).rejects.toThrow(refusal)
    const rows = await transact(database.db, () => other.db.selectFrom('note').select('id').execute())
    expect(rows).toHaveLength(10)
    await other.close()
  })

  test('does not refuse what merely runs at the same time', async () => {
    const { db } = schema.database
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const running = transact(db, async () => {
      begin()
      await mayEnd
    })
    await begun
    expect(await count()).toBe(10)
    end()
    await running
  })

  test('afterCommit runs when it was kept, in order, and never when it was not', async () => {
    const { db } = schema.database
    const ran: string[] = []
    await transact(db, async (tx) => {
      afterCommit(tx, () => ran.push('a'))
      afterCommit(tx, () => ran.push('b'))
      expect(ran).toEqual([])
    })
    const failing = transact(db, async (tx) => {
      afterCommit(tx, () => ran.push('never'))
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(ran).toEqual(['a', 'b'])
    expect(() => afterCommit(db, () => {})).toThrow('afterCommit needs a transaction')
  })

  test('a caller that waits for the transaction waits for what runs after it', async () => {
    const { db } = schema.database
    let counted = 0
    await transact(db, async (tx) => {
      await tx.insertInto('note').values({ id: '11', text: 'kept' }).execute()
      afterCommit(tx, async () => {
        counted = await count()
      })
    })
    expect(counted).toBe(11)
  })

  test('what runs after the commit may use the pool', async () => {
    const { db } = schema.database
    const { promise: counted, resolve } = Promise.withResolvers<number>()
    await transact(db, async (tx) => {
      await tx.insertInto('note').values({ id: '11', text: 'kept' }).execute()
      afterCommit(tx, () => void count().then(resolve))
    })
    expect(await counted).toBe(11)
  })

  test('a connection that breaks between two statements fails the work and nothing else', async () => {
    const { db } = schema.database
    const administrator = openDatabase<Tables>({ url: schema.own.url('postgres') })
    const broken = transact(db, async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() pid`.execute(tx)
      await transact(administrator.db, (other) => sql`select pg_terminate_backend(${rows[0]!.pid}, 5000)`.execute(other))
      await sql`select 1`.execute(tx)
    })
    await expect(broken).rejects.toThrow()
    await administrator.close()
    expect(await count()).toBe(10)
  })

  test('a violated unique index is distinguished from other faults', async () => {
    const { db } = schema.database
    const error = await transact(db, (tx) => tx.insertInto('note').values({ id: '1', text: 'new' }).execute()).catch((reason) => reason)
    expect(isUniqueViolation(error)).toBe(true)
    expect(isUniqueViolation(error, 'note_pkey')).toBe(true)
    expect(isUniqueViolation(error, 'note_text_key')).toBe(false)
    expect(isUniqueViolation(new Error('no'))).toBe(false)
  })
})
