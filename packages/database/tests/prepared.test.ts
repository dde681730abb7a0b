import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyOf, builderOf, prepared, preparedPage, transact } from '../src/index.ts'
import { openSchema, type Tables } from './schema.ts'

describe('prepared statements', () => {
  let schema: Awaited<ReturnType<typeof openSchema>>
  beforeAll(async () => {
    schema = await openSchema()
  })
  afterAll(() => schema.close())

  const query = builderOf<Tables>()
  const above = prepared('above', (given: { text: string }) =>
    query.selectFrom('note').select('text').where('text', '>', given.text).orderBy('id'),
  )
  const twice = prepared(
    'twice',
    (given: { text: string; other: number }) =>
      sql<{ firstText: string; isSame: boolean; other: number }>`
        select ${given.text}::text first_text, ${given.text}::text = 'x' as "isSame", ${given.other}::int other`,
  )

  test('take their values by name, and answer with rows whose names are in camelCase', async () => {
    expect(await above(schema.database, { text: 'note 8' })).toEqual([{ text: 'note 9' }])
    expect(await twice(schema.database, { other: 7, text: 'x' })).toEqual([{ firstText: 'x', isSame: true, other: 7 }])
  })

  test('bind a value once, however often it is used', async () => {
    schema.statements.length = 0
    await twice(schema.database, { text: 'x', other: 7 })
    expect(schema.statements).toEqual([expect.stringContaining('$1::text first_text, $1::text =')])
    expect(schema.statements[0]).toContain('$2::int')
  })

  test('take a list of ids as one value', async () => {
    const byIds = prepared('by-ids', (given: { ids: readonly string[] }) =>
      query.selectFrom('note').select('text').where('id', '=', anyOf(given.ids)).orderBy('id'),
    )
    expect(await byIds(schema.database, { ids: ['1', '2', '77'] })).toEqual([{ text: 'note 1' }, { text: 'note 2' }])
  })

  test.each<[what: string, text: string, array: unknown]>([
    ['no ids', '{}', []],
    ['ids', '{9223372036854775807,-1}', ['9223372036854775807', '-1']],
    ['ids and nulls', '{1,NULL}', ['1', null]],
    [
      'lists of ids',
      '{{1,2},{3,4}}',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
  ])('read an array of %s', async (_what, text, array) => {
    const read = prepared('array', (given: { text: string }) => sql<{ ids: unknown }>`select ${given.text}::text::bigint[] ids`)
    expect(await read(schema.database, { text })).toEqual([{ ids: array }])
  })

  test('send lists of any texts and nulls as they are', async () => {
    const same = prepared(
      'same',
      (given: { texts: readonly (string | null)[] }) => sql<{ texts: unknown }>`select ${given.texts}::text[] texts`,
    )
    const awkward = fc.constantFrom('', 'null', 'NULL', '"', '\\', '{}', ',', '{"a",b}', '1', '-1', ' ', '\n', '🐦')
    const text = fc.oneof(awkward, fc.string({ unit: 'binary' }))
    const wellFormed = text.filter((each) => each.isWellFormed() && !each.includes('\0'))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof({ weight: 9, arbitrary: wellFormed }, fc.constant(null))), async (texts) => {
        expect(await same(schema.database, { texts })).toEqual([{ texts }])
      }),
    )
  })

  test('see in a transaction what it wrote, and are refused on the pool meanwhile', async () => {
    const rows = await transact(schema.database.db, async (tx) => {
      await tx.insertInto('note').values({ id: '11', text: 'zebra' }).execute()
      await expect(above(schema.database, { text: 'z' })).rejects.toThrow('inside a transaction')
      return above(tx, { text: 'z' })
    })
    expect(rows).toEqual([{ text: 'zebra' }])
  })

  test('read a page in its order and within its bounds', async () => {
    const page = preparedPage('page', (given: { ids: readonly string[] }, { order, below, above, limit }) =>
      query
        .selectFrom('note')
        .select('id')
        .where('id', '=', anyOf(given.ids))
        .where('id', '<', below)
        .where('id', '>', above)
        .orderBy('id', order)
        .limit(limit),
    )
    const ids = ['1', '2', '3', '4']
    expect(await page(schema.database, { ids, page: { limit: 2 } })).toEqual([{ id: '4' }, { id: '3' }])
    expect(await page(schema.database, { ids, page: { limit: 2, maxId: '4' } })).toEqual([{ id: '3' }, { id: '2' }])
    expect(await page(schema.database, { ids, page: { limit: 1, minId: '2' } })).toEqual([{ id: '3' }])
  })

  test('are refused when they bind a value of their own', () => {
    expect(() => prepared('own', () => query.selectFrom('note').select('text').where('text', '=', 'mine'))).toThrow('value of its own')
  })
})
