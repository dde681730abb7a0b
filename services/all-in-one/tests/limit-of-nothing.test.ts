import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FilledLists, LISTS, openFilledLists } from './filled-lists.ts'

// limit=0 returns an empty page, unless it is documented to return everything (beyond-the-spec 0.1; spec, Page sizes).

let lists: FilledLists
beforeAll(async () => {
  lists = await openFilledLists()
})
afterAll(() => lists.world.close())

const read = (path: string, limit: number) => lists.mara.get(`${lists.addressOf(path)}&limit=${limit}`)
/** The lists that return everything for limit=0. */
const WHOLE = ['/api/v1/lists/:id/accounts', '/api/v1/endorsements', '/api/v1/accounts/:id/endorsements']
/** The size of an answer: the items of a list, of all lists of a search, or a count. */
const sizeOf = (body: object): number => {
  if (Array.isArray(body)) return body.length
  return Object.values(body).reduce((sum: number, part) => sum + (Array.isArray(part) ? part.length : Number(part)), 0)
}

describe('a limit of 0', () => {
  test.each(LISTS.filter((path) => !WHOLE.includes(path)))('is an empty page without links: %s', async (path) => {
    const one = await read(path, 1)
    expect({ status: one.status, isFilled: sizeOf(one.body) > 0 }).toEqual({ status: 200, isFilled: true })
    const none = await read(path, 0)
    expect({ status: none.status, size: sizeOf(none.body), link: none.headers.get('link') }).toEqual({ status: 200, size: 0, link: null })
  })

  test.each(WHOLE)('is everything on one page: %s', async (path) => {
    const whole = await read(path, 0)
    expect({ status: whole.status, size: whole.body.length, link: whole.headers.get('link') }).toEqual({ status: 200, size: 1, link: null })
  })
})
