import { endpoints } from '@rookery/gateway'
import { query, saidLongAgo } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FilledLists, LISTS, openFilledLists } from './filled-lists.ts'

// Pages with cursors at the limits of ids.

let lists: FilledLists
beforeAll(async () => {
  lists = await openFilledLists()
  // A home that continues beyond what is stored.
  await saidLongAgo(lists.world, lists.mara, 60)
  await query(lists.world, 'update statuses.home set floor_id = (select max(id) from statuses.status_head) where account_id = $1', [
    lists.mara.id,
  ])
})
afterAll(() => lists.world.close())

const takes = (path: string, parameter: string) =>
  endpoints.some((endpoint) => endpoint.method === 'GET' && endpoint.path === path && endpoint.parameters.has(parameter))
const HIGHEST = '9223372036854775807'
const ENDS = ['0', '1', '9223372036854775806', HIGHEST, '00', '']
const BETWEEN = [
  ...['max_id', 'since_id', 'min_id'].flatMap((bound) => ENDS.map((end) => `${bound}=${end}`)),
  ...['since_id', 'min_id'].flatMap((bound) => [
    `max_id=${HIGHEST}&${bound}=${HIGHEST}`,
    `max_id=0&${bound}=0`,
    `max_id=1&${bound}=${HIGHEST}`,
  ]),
]
const OFFSETS = ['0', '2147483647', '2147483648', HIGHEST, '9'.repeat(40)].map((offset) => `offset=${offset}`)

/** The answers for each of these cursors, for a long and a short page. */
const answersTo = async (path: string, bounds: readonly string[]) => {
  const answers = []
  for (const limit of [40, 1])
    for (const bound of bounds) {
      const { status, text } = await lists.mara.get(`${lists.addressOf(path)}&limit=${limit}&${bound}`)
      answers.push({ bound, status, text })
    }
  return answers
}
const isRefused = ({ status }: { status: number }) => status !== 200

describe('bounds at the ends of all ids', () => {
  test.each(LISTS.filter((path) => takes(path, 'max_id')))('give a page: %s', async (path) => {
    // Read once without cursors, since the cached page affects the next reads.
    await answersTo(path, [''])
    expect((await answersTo(path, BETWEEN)).filter(isRefused)).toEqual([])
  })

  test.each(LISTS.filter((path) => takes(path, 'offset')))('give a page, by offset: %s', async (path) => {
    expect((await answersTo(path, OFFSETS)).filter(isRefused)).toEqual([])
  })
})
