import { type Answer, type Person, World } from '@rookery/test-world'
import { idsOf, keepEvents, linksOf, query, runJob, saidLongAgo, walk } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let world: World
let cast = 0
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

const DIGITS = /^[1-9]\d*$/

/** Someone who follows nothing yet. */
const newPerson = () => world.person(`mara${++cast}`)

const act = (person: Person, name: string, verb: 'follow' | 'unfollow') => person.post(`/api/v1/tags/${encodeURIComponent(name)}/${verb}`)
const followed = async (person: Person): Promise<string[]> => (await person.get('/api/v1/followed_tags')).body.map(({ name }: Json) => name)
const gist = ({ status, body }: Answer) => [status, body.error ?? body]

describe('a tag that very many use', () => {
  const PATH = '/api/v1/timelines/tag/crowded'
  let ids: string[]
  let hidden: string[]
  let mara: Person
  const isUsedBy = (name: string, used: readonly string[]) =>
    query(world, `insert into statuses.status_tag (name, status_id, author_id, is_open) select $1, unnest($2::bigint[]), $3, true`, [
      name,
      used,
      mara.id,
    ])
  beforeAll(async () => {
    mara = await newPerson()
    await mara.says('#crowded #scarce')
    await mara.says('#saucer')
    ids = await saidLongAgo(world, mara, 9000)
    await isUsedBy('crowded', ids)
    await isUsedBy('scarce', [ids[8990]!])
    await query(world, 'update statuses.status_head set has_media = true where id = any($1)', [[ids[3000], ids[8990]]])
    hidden = ids.slice(7990, 8010)
    await query(world, 'update statuses.status_head set visibility = 3 where id = any($1)', [hidden])
    await query(world, 'update statuses.status_tag set is_open = false where status_id = any($1)', [hidden])
  })

  test('has a timeline of few of its statuses that leads on where looking through it ends', async () => {
    const first = await world.get(`${PATH}?only_media=true`)
    expect(idsOf(first.body)).toEqual([ids[3000]])
    const { next } = linksOf(first)
    // Where a reading ends is no status that others may not see.
    expect(new URL(next!).searchParams.get('max_id')).toBe(ids[7989])
    const second = await world.get(next!)
    expect(idsOf(second.body)).toEqual([ids[8990]])
    expect((await world.get(linksOf(second).next!)).body).toEqual([])
    const up = await world.get(`${PATH}?only_media=true&min_id=1`)
    expect(idsOf(up.body)).toEqual([ids[3000], ids[8990]])
  })

  test('is found at once with another tag that few use', async () => {
    expect(idsOf((await world.get(`${PATH}?all[]=scarce&only_media=true`)).body)).toEqual([ids[8990]])
    expect(idsOf((await world.get('/api/v1/timelines/tag/saucer?any[]=crowded&all[]=scarce&only_media=true')).body)).toEqual([ids[8990]])
    expect(idsOf((await world.get('/api/v1/timelines/tag/saucer?all[]=scarce')).body)).toEqual([])
    expect(idsOf((await world.get(`${PATH}?all[]=scarce&limit=40`)).body)).toHaveLength(2)
    expect(idsOf((await world.get(`${PATH}?all[]=scarce&all[]=nothere`)).body)).toEqual([])
  })

  test('has whole pages without a filter', async () => {
    const page = await world.get(`${PATH}?limit=40&max_id=${ids[4000]}`)
    expect(idsOf(page.body)).toEqual(ids.slice(4001, 4041))
  })
})

describe('following a tag', () => {
  test('is notified to followers of the tag', async () => {
    const [mara, joel] = [await newPerson(), await newPerson()]
    const answer = await act(mara, 'Oolong', 'follow')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      id: expect.stringMatching(DIGITS),
      name: 'Oolong',
      url: `${world.origin}/tags/oolong`,
      history: expect.any(Array),
      following: true,
      featuring: false,
    })
    expect(answer.body.history).toHaveLength(7)
    expect((await mara.get('/api/v1/tags/oolong')).body).toEqual(answer.body)
    expect((await joel.get('/api/v1/tags/oolong')).body).toMatchObject({ following: false })
    expect('following' in (await world.get('/api/v1/tags/oolong')).body).toBe(false)
    expect((await act(mara, 'oolong', 'unfollow')).body).toEqual({ ...answer.body, following: false })
  })

  test('and ceasing to, again is the same as once', async () => {
    const mara = await newPerson()
    for (const spelling of ['Tea', 'TEA', '#tea', 'téa'])
      expect((await act(mara, spelling, 'follow')).body).toMatchObject({ following: true })
    expect(await followed(mara)).toEqual(['Tea'])
    for (let again = 0; again < 2; again++) expect((await act(mara, 'tea', 'unfollow')).body).toMatchObject({ following: false })
    expect(await followed(mara)).toEqual([])
    expect((await act(mara, 'neverused', 'unfollow')).body).toMatchObject({ id: '0', name: 'neverused', following: false })
  })

  test.each(['2024', 'two words', '·'])('%s is refused, because it is no tag', async (name) => {
    const mara = await newPerson()
    for (const verb of ['follow', 'unfollow'] as const) expect(gist(await act(mara, name, verb))).toEqual([404, 'Record not found'])
  })

  test('shows of one that very many use what was counted of it by the last minute, and of others each use at once', async () => {
    const mara = await newPerson()
    await mara.says('#popular')
    const ids = await saidLongAgo(world, mara, 600, 1)
    const usesOf = async () => {
      const { history } = (await world.get('/api/v1/tags/popular')).body as { history: { uses: string; accounts: string }[] }
      return [history.reduce((sum, { uses }) => sum + Number(uses), 0), Math.max(...history.map(({ accounts }) => Number(accounts)))]
    }
    expect(await usesOf()).toEqual([1, 1])
    await query(
      world,
      `insert into statuses.status_tag (name, status_id, author_id, is_open) select 'popular', unnest($1::bigint[]), $2, true`,
      [ids, mara.id],
    )
    expect(await usesOf()).toEqual([500, 1])
    await query(
      world,
      `insert into statuses.pending_use (account_id, day)
         select $1, day from unnest($2::bigint[]) id cross join lateral (select ((id >> 16) / 86400000)::int) d (day) group by day
       on conflict do nothing`,
      [mara.id, ids],
    )
    await runJob(world, 'update-trends')
    expect(await usesOf()).toEqual([601, 1])
  })

  test('is shown by searches', async () => {
    const mara = await newPerson()
    await mara.says('#gyokuro and #gyokurocha')
    await act(mara, 'gyokuro', 'follow')
    const found = (await mara.get('/api/v2/search?q=gyokuro&type=hashtags')).body.hashtags
    expect(found.map(({ name, following }: Json) => [name, following])).toEqual([
      ['gyokuro', true],
      ['gyokurocha', false],
    ])
    expect('following' in (await world.get('/api/v2/search?q=gyokuro&type=hashtags')).body.hashtags[0]).toBe(false)
  })

  test('twenty times at once is following once, notified once, and so is ceasing to', async () => {
    const mara = await newPerson()
    const eventsOf = await keepEvents(world)
    const twenty = (verb: 'follow' | 'unfollow') => Promise.all(Array.from({ length: 20 }, () => act(mara, 'sencha', verb)))
    for (const [verb, rows] of [
      ['follow', ['sencha']],
      ['unfollow', []],
    ] as const) {
      const answers = await twenty(verb)
      expect(answers.map(({ status, body }) => [status, body.following])).toEqual(Array(20).fill([200, verb === 'follow']))
      expect(await followed(mara)).toEqual(rows)
    }
    const value = { accountId: mara.id, tag: 'sencha' }
    expect(await eventsOf(mara)).toEqual([
      { $case: 'tagFollowed', value },
      { $case: 'tagUnfollowed', value },
    ])
  })
})

test('a tag has one id of digits wherever it is shown', async () => {
  const mara = await newPerson()
  await mara.says('#lapsang and #souchong')
  const read = async (path: string) => (await mara.get(path)).body
  const { id } = await read('/api/v1/tags/lapsang')
  expect(id).toMatch(DIGITS)
  expect(await read('/api/v1/featured_tags/suggestions')).toContainEqual(expect.objectContaining({ name: 'lapsang', id }))
  expect((await act(mara, 'Lapsang', 'follow')).body.id).toBe(id)
  expect((await mara.post('/api/v1/tags/lapsang/feature')).body.id).toBe(id)
  expect((await read('/api/v2/search?q=lapsang')).hashtags[0].id).toBe(id)
  expect((await read('/api/v1/followed_tags'))[0].id).toBe(id)
  expect((await read('/api/v1/tags/souchong')).id).not.toBe(id)
  // Followed before anyone used it, a tag has its id too.
  const unused = (await act(mara, 'silverneedle', 'follow')).body.id
  expect(unused).toMatch(DIGITS)
  await mara.says('#silverneedle')
  expect((await read('/api/v1/tags/silverneedle')).id).toBe(unused)
})

test('followed tags come in pages, the latest first, at the same cost however many', async () => {
  const mara = await newPerson()
  const names = Array.from({ length: 7 }, (_, index) => `page${index}`)
  for (const name of names) await act(mara, name, 'follow')
  await mara.says('#page3')
  const pages = await walk(mara, '/api/v1/followed_tags?limit=3')
  expect(pages.map(({ length }) => length)).toEqual([3, 3, 1])
  expect(pages.flat().map(({ name }) => name)).toEqual(names.toReversed())
  expect(pages.flat().every(({ following }) => following)).toBe(true)
  expect(pages[1]?.[0]).toEqual((await mara.get('/api/v1/tags/page3')).body)
  expect(linksOf(await mara.get('/api/v1/followed_tags?limit=3')).prev).toMatch(/since_id=\d+$/)
  await mara.get('/api/v1/followed_tags')
  const many = world.lastRequest
  await mara.get('/api/v1/followed_tags?limit=1')
  expect(world.lastRequest).toEqual(many)
  expect(many).toEqual({ hops: 2, statements: 4 })
})
