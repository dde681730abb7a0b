import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyOf, applyPage, cursorsOf, fillPage, inOrder, type Page } from '../src/index.ts'
import { openSchema } from './schema.ts'

describe('pages and batches', () => {
  let schema: Awaited<ReturnType<typeof openSchema>>
  beforeAll(async () => {
    schema = await openSchema()
  })
  afterAll(() => schema.close())

  const read = async (page: Page) => {
    const rows = await applyPage(schema.database.db.selectFrom('note').select('id'), 'id', page).execute()
    const { rows: ordered, cursors } = cursorsOf(page, rows, (row) => row.id)
    return { ids: ordered.map((row) => Number(row.id)), ...cursors }
  }

  test.each([
    ['without bounds, the newest', { limit: 3 }, [10, 9, 8], true],
    ['below max_id', { maxId: '8', limit: 3 }, [7, 6, 5], true],
    ['above since_id, the newest', { sinceId: '4', limit: 3 }, [10, 9, 8], true],
    ['immediately above min_id, newest first', { minId: '4', limit: 3 }, [7, 6, 5], true],
    ['between since_id and max_id', { sinceId: '4', maxId: '7', limit: 9 }, [6, 5], false],
    ['between min_id and max_id', { minId: '4', maxId: '9', limit: 2 }, [6, 5], true],
    ['min_id before since_id', { minId: '4', sinceId: '8', limit: 2 }, [6, 5], true],
    ['the last of them', { maxId: '3', limit: 3 }, [2, 1], false],
    ['beyond the last', { maxId: '1', limit: 3 }, [], false],
    ['none at all', { limit: 0 }, [], false],
  ] satisfies [string, Page, number[], boolean][])('%s', async (_name, page, ids, isFull) => {
    const [first, last] = [ids[0], ids.at(-1)].map((id) => (id === undefined ? '' : String(id)))
    expect(await read(page)).toEqual({ ids, first, last, isFull })
  })

  test('following the cursors downwards, or upwards from the bottom, shows every row once', async () => {
    const down: number[] = []
    for (let page = await read({ limit: 4 }); page.ids.length > 0; page = await read({ maxId: page.last, limit: 4 })) down.push(...page.ids)
    expect(down).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    const up: number[] = []
    for (let page = await read({ minId: '0', limit: 4 }); page.ids.length > 0; page = await read({ minId: page.first, limit: 4 })) {
      up.unshift(...page.ids)
    }
    expect(up).toEqual(down)
  })

  test('a page is filled past hidden rows by a bounded number of reads, and its cursors span all it read', async () => {
    const reads: number[] = []
    const filled = async (page: Page, ...hidden: number[]) => {
      reads.length = 0
      const { rows, cursors } = await fillPage(page, {
        async read(part) {
          reads.push(part.limit)
          return applyPage(schema.database.db.selectFrom('note').select('id'), 'id', part).execute()
        },
        shown: async (rows) => rows.filter(({ id }) => !hidden.includes(Number(id))),
        cursorOf: ({ id }) => id,
      })
      return { ids: rows.map(({ id }) => Number(id)), reads: [...reads], ...cursors }
    }
    expect(await filled({ limit: 2 })).toEqual({ ids: [10, 9], reads: [2], first: '10', last: '9', isFull: true })
    expect(await filled({ limit: 2 }, 10, 8, 7)).toEqual({ ids: [9, 6], reads: [2, 40], first: '10', last: '6', isFull: true })
    expect(await filled({ limit: 2, minId: '2' }, 3, 4)).toEqual({ ids: [6, 5], reads: [2, 40], first: '6', last: '3', isFull: true })
    expect(await filled({ limit: 2, sinceId: '8' }, 9)).toEqual({ ids: [10], reads: [2, 40], first: '10', last: '9', isFull: true })
    expect(await filled({ limit: 9, maxId: '4' }, 2)).toEqual({ ids: [3, 1], reads: [9], first: '3', last: '1', isFull: false })
    expect(await filled({ limit: 0 })).toEqual({ ids: [], reads: [], first: '', last: '', isFull: false })
  })

  test('a batch is one statement of one text, regardless of its length, and is put back in order', async () => {
    const { db } = schema.database
    const batch = async (ids: string[]) => inOrder(ids, await db.selectFrom('note').select('id').where('id', '=', anyOf(ids)).execute())
    schema.statements.length = 0
    expect(await batch(['7', '99', '3'])).toEqual([{ id: '7' }, { id: '3' }])
    expect(await batch([])).toEqual([])
    expect(schema.statements).toHaveLength(2)
    expect(new Set(schema.statements).size).toBe(1)
  })
})
