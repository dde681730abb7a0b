import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase, sharedQuery, transact } from '../src/index.ts'
import { openSchema } from './schema.ts'

describe('shared statements', () => {
  let schema: Awaited<ReturnType<typeof openSchema>>
  beforeEach(async () => {
    schema = await openSchema()
  })
  afterEach(() => schema.close())

  const readUpTo = sharedQuery(
    'notes-up-to',
    { id: 'bigint', not: 'text', limit: 'int' },
    (given: { id: string; not: string; limit: number }) => sql<{ id: string; text: string | null }>`
      with found as materialized (
        select id, text from note where id <= ${given.id} and text <> ${given.not} order by id desc limit ${given.limit})
      select * from found`,
  )

  test('all who ask at the same moment are answered by one statement, each with their own rows', async () => {
    const { database, statements } = schema
    statements.length = 0
    const answers = await Promise.all([
      readUpTo(database, { id: '3', not: '', limit: 2 }),
      readUpTo(database, { id: '0', not: '', limit: 2 }),
      readUpTo(database, { id: '2', not: 'note 1', limit: 5 }),
      readUpTo(database, { id: '3', not: '', limit: 2 }),
    ])
    expect(answers.map((rows) => rows.map(({ text }) => text))).toEqual([['note 3', 'note 2'], [], ['note 2'], ['note 3', 'note 2']])
    expect(statements).toHaveLength(1)
  })

  test('more than are sent together are sent in parts', async () => {
    const { database, statements } = schema
    statements.length = 0
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        readUpTo(database, { id: String((index % 10) + 1), not: '', limit: 1 + Math.floor(index / 10) }),
      ),
    )
    expect(answers.map(([row]) => row?.text)).toEqual(Array.from({ length: 20 }, (_, index) => `note ${(index % 10) + 1}`))
    expect(statements).toHaveLength(3)
  })

  const noteOf = (given: { id: string }) => sql<{ text: string }>`select text from note where id = ${given.id}`

  test('where pages are made of answers, a request that came meanwhile has its statement sent before the page goes on', async () => {
    const { database, statements } = schema
    const readPage = sharedQuery('notes-page', { id: 'bigint' }, noteOf, { makesPages: true })
    await readPage(database, { id: '3' })
    statements.length = 0
    const second = new Promise((resolve, reject) => {
      // The answer has arrived: the next request takes two turns until it queries.
      database.pool.once('release', async () => {
        await turn()
        await turn()
        readPage(database, { id: '2' }).then(resolve, reject)
      })
    })
    const sentBefore = readPage(database, { id: '1' }).then(() => statements.length)
    expect([await sentBefore, await second]).toEqual([2, [{ turn: 1, text: 'note 2' }]])
  })

  test('where a call takes long, more than are sent together are sent beside them at once', async () => {
    const { database, statements } = schema
    const readLong = sharedQuery('notes-long', { id: 'bigint' }, noteOf, { isLong: true })
    await readLong(database, { id: '1' })
    statements.length = 0
    const answers = Promise.all(Array.from({ length: 9 }, (_, index) => readLong(database, { id: String(index + 1) })))
    await turn()
    await turn()
    expect(statements).toHaveLength(2)
    expect((await answers).map(([row]) => row?.text)).toEqual(Array.from({ length: 9 }, (_, index) => `note ${index + 1}`))
  })

  test('those with the same values are given the same rows', async () => {
    const { database } = schema
    const [one, other, different] = await Promise.all(['3', '3', '2'].map((id) => readUpTo(database, { id, not: '', limit: 1 })))
    expect(one![0]).toBe(other![0])
    expect(different![0]).not.toBe(one![0])
    expect((await readUpTo(database, { id: '3', not: '', limit: 1 }))[0]).not.toBe(one![0])
  })

  test('whose values cannot be read fails alone', async () => {
    const { database } = schema
    const outcomes = await Promise.allSettled([
      readUpTo(database, { id: '1', not: '', limit: 1 }),
      readUpTo(database, { id: 'one', not: '', limit: 1 }),
      readUpTo(database, { id: '2', not: '', limit: 1 }),
    ])
    expect(outcomes).toMatchObject([
      { status: 'fulfilled', value: [{ id: '1', text: 'note 1' }] },
      { status: 'rejected', reason: { code: '22P02' } },
      { status: 'fulfilled', value: [{ id: '2', text: 'note 2' }] },
    ])
  })

  test('no one asks again while the database is out of reach', async () => {
    const statements: string[] = []
    const away = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', onStatement: (text) => statements.push(text) })
    const outcomes = await Promise.allSettled([
      readUpTo(away, { id: '1', not: '', limit: 1 }),
      readUpTo(away, { id: '2', not: '', limit: 1 }),
    ])
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { code: 'ECONNREFUSED' } },
      { status: 'rejected', reason: { code: 'ECONNREFUSED' } },
    ])
    expect(statements).toHaveLength(1)
    await away.close()
  })

  test('no one asks from inside a transaction, whose changes others do not see', async () => {
    const { database } = schema
    await expect(transact(database.db, () => readUpTo(database, { id: '1', not: '', limit: 1 }))).rejects.toThrow()
    expect(await readUpTo(database, { id: '1', not: '', limit: 1 })).toMatchObject([{ id: '1', text: 'note 1' }])
  })
})
