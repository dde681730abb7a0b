import { Visibility } from '@rookery/contracts/statuses'
import { type Answer, type Person, World } from '@rookery/test-world'
import { idsOf, linksOf, query, saidLongAgo } from '@rookery/test-world/queries'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Someone follows an author nearly all of whose statuses stay out of home and lists, by their language, and scrolls to what is older.

let world: World
let reader: Person
let hidden: string[]
let near: string[]
let old: string[]
let list: string
beforeAll(async () => {
  world = await World.open()
  const { ida, june, kai, lena } = await world.cast('ida', 'june', 'kai', 'lena')
  reader = ida
  old = await saidLongAgo(world, june, 5, 400)
  hidden = await saidLongAgo(world, kai, 50_000, 100)
  near = await saidLongAgo(world, lena, 900, 10)
  await query(world, "update statuses.status set language = 'fr' where id = any($1)", [hidden])
  await ida.follows(kai, { languages: ['de'] })
  for (const person of [june, lena]) await ida.follows(person)
  await world.idle()
  list = `/api/v1/timelines/list/${(await ida.post('/api/v1/lists', { title: 'reading' })).body.id}`
  await ida.post(list.replace('timelines/list', 'lists').concat('/accounts'), { account_ids: [june.id, kai.id, lena.id] })
})
afterAll(() => world.close())

/** The pages from here on, also behind empty ones. */
const walked = async (path: string, relation: 'next' | 'prev') => {
  const pages: Answer[] = []
  for (let address: string | undefined = path; address && pages.length < 40; address = linksOf(pages.at(-1)!)[relation])
    pages.push(await reader.get(address))
  return pages
}
const read = (pages: readonly Answer[]) => pages.map(({ body }) => idsOf(body))
const setVisibility = (ids: readonly string[], visibility: number) =>
  query(world, 'update statuses.status_head set visibility = $2 where id = any($1)', [ids, visibility])

test.each([
  ['a home', () => `/api/v1/timelines/home?limit=40&max_id=${near.at(-1)}`],
  ['a list', () => `${list}?limit=40&max_id=${near.at(-1)}`],
])('%s looks through so many statuses a page, and leads on at one that others may see', async (_what, path) => {
  const open = hidden.filter((_, index) => index % 7 === 3)
  await setVisibility(hidden, Visibility.PRIVATE)
  await setVisibility(open, Visibility.UNLISTED)
  const pages = await walked(path(), 'next')
  expect(read(pages)).toEqual([[], old, []])
  const cursor = new URL(linksOf(pages[0]!)['next']!).searchParams.get('max_id')
  expect(open.indexOf(cursor!)).toBeGreaterThan(40_000 / 7)
  await reader.get(path())
  expect(world.lastRequest.statements).toBeLessThan(40)
})

test.each([
  ['a home', () => '/api/v1/timelines/home'],
  ['a list', () => list],
])('%s is read upwards without a gap', async (_what, path) => {
  const pages = await walked(`${path()}?limit=40&min_id=${old[0]}`, 'prev')
  expect(read(pages)[0]).toEqual([])
  expect(read(pages).toReversed().flat()).toEqual(near)
})

test.each([
  ['a home', () => `/api/v1/timelines/home?limit=40&max_id=${near.at(-1)}`],
  ['a list', () => `${list}?limit=40&max_id=${near.at(-1)}`],
])('%s looks on where none of them is for others', async (_what, path) => {
  await setVisibility(hidden, Visibility.PRIVATE)
  expect(idsOf((await reader.get(path())).body)).toEqual(old)
})
