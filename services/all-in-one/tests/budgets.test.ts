import { ask, type Person, World } from '@rookery/test-world'
import { withColdServer } from '@rookery/test-world/cold-server'
import { query } from '@rookery/test-world/queries'
import { uploads } from '@rookery/test-world/scheduling'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: World
let mara: Person
let joel: Person
let list: string
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel } = await world.cast('mara', 'joel'))
  await joel.follows(mara)
  list = (await joel.post('/api/v1/lists', { title: 'mine' })).body.id
  await joel.post(`/api/v1/lists/${list}/accounts`, { account_ids: [mara.id] })
})
afterAll(() => world.close())

/** Pages of many statuses that one service owns: a call for the token and one for the page. */
const PAGES: [string, () => string][] = [
  ['home', () => '/api/v1/timelines/home?limit=40'],
  ['public', () => '/api/v1/timelines/public?limit=40'],
  ['local', () => '/api/v1/timelines/public?local=true&limit=40'],
  ['tag', () => '/api/v1/timelines/tag/tea?limit=40'],
  ['list', () => `/api/v1/timelines/list/${list}?limit=40`],
  ['account', () => `/api/v1/accounts/${mara.id}/statuses?limit=40&only_media=true`],
  ['favourites', () => '/api/v1/favourites?limit=40'],
  ['bookmarks', () => '/api/v1/bookmarks?limit=40'],
  ['search', () => '/api/v2/search?q=cups&type=statuses&limit=40'],
  ['conversations', () => '/api/v1/conversations?limit=40'],
]
/** Pages that are read once for all readers, so that each reader's flags take a statement. */
const COMMON = new Set(['public', 'local', 'tag'])
const NOTIFICATIONS = '/api/v1/notifications?types[]=mention&limit=30'

const lengthOf = (body: { statuses?: unknown[]; length: number }): number => body.statuses?.length ?? body.length

/** The length of a page, and its cost on a warm server and on one that has cached only the token. */
const costOf = async (reader: Person, path: string) => {
  await reader.get(path)
  const { body } = await reader.get(path)
  const warm = world.lastRequest
  const cold = await withColdServer(world, async ({ origin, statements }) => {
    statements()
    expect((await ask(origin, 'GET', path, { token: reader.token })).status).toBe(200)
    return statements().length
  })
  return { length: lengthOf(body), warm, cold }
}

/** A post with everything a page may show: text, picture, mention, tag, a poll of its author, and a direct message. */
const say = async (text: string) => {
  const said = await mara.says(`${text} @joel and #tea in cups`, { media_ids: [await uploads(mara)] })
  await joel.reacts('favourite', said)
  await joel.reacts('bookmark', said)
  await mara.says(`@joel ${text}?`, { visibility: 'direct' })
}

test('a page costs the same for 1 and for 40 statuses, and no more than its budget', async () => {
  await say('first')
  await world.idle()
  const few = []
  for (const [name, path] of PAGES) few.push({ name, ...(await costOf(joel, path())) })
  const notified = await costOf(joel, NOTIFICATIONS)
  for (let round = 0; round < 10; round++) await Promise.all(['a', 'b', 'c', 'd'].map((letter) => say(`${letter}${round}`)))
  await world.idle()
  for (const [index, [name, path]] of PAGES.entries()) {
    const { length, warm, cold } = await costOf(joel, path())
    expect([name, few[index]!.length <= 2, length]).toEqual([name, true, 40])
    expect([name, warm]).toEqual([name, { hops: 2, statements: COMMON.has(name) ? 3 : 2 }])
    expect([name, few[index]!.warm]).toEqual([name, warm])
    expect([name, cold]).toEqual([name, few[index]!.cold])
    expect(cold).toBeLessThanOrEqual(12)
  }
  // The batches of accounts and statuses are requested concurrently: four calls, three in sequence.
  const all = await costOf(joel, NOTIFICATIONS)
  expect([notified.length, all.length]).toEqual([2, 30])
  expect(all.warm).toEqual({ hops: 4, statements: 4 })
  expect(notified.warm).toEqual(all.warm)
  expect(notified.cold).toBe(all.cold)
  expect(all.cold).toBeLessThanOrEqual(12)
  // Each page is requested from servers that have just started.
}, 240_000)

test('an anonymous reader reads the public pages for one statement', async () => {
  for (const path of ['/api/v1/timelines/public?limit=40', '/api/v1/timelines/tag/tea?limit=40', `/api/v1/accounts/${mara.id}/statuses`]) {
    await world.get(path)
    await world.get(path)
    expect([path, world.lastRequest]).toEqual([path, { hops: 1, statements: 1 }])
  }
})

test('what the server says of itself costs one statement, and two for who is active', async () => {
  const path = '/api/v2/instance'
  await ask(world.origin, 'GET', path)
  expect((await ask(world.origin, 'GET', path)).status).toBe(200)
  expect(world.lastRequest).toEqual({ hops: 2, statements: 3 })
})

test('a thread of 200 costs at most 15 statements cold', async () => {
  const root = await mara.says('root')
  let parent = root
  for (let index = 0; index < 199; index++)
    parent = await (index % 2 ? mara : joel).says('re', { in_reply_to_id: index % 5 ? parent.id : root.id })
  const path = `/api/v1/statuses/${root.id}/context`
  const { warm, cold } = await costOf(joel, path)
  expect((await joel.get(path)).body.descendants).toHaveLength(199)
  expect([warm.hops, cold <= 15]).toEqual([2, true])
}, 120_000)

describe('posting', () => {
  test('costs the same however much is in it', async () => {
    await mara.says('short')
    const short = world.lastRequest
    await mara.says(`@joel ${Array.from({ length: 30 }, (_, index) => `#t${index}`).join(' ')}`, {
      in_reply_to_id: (await joel.says('parent')).id,
    })
    expect(world.lastRequest).toEqual(short)
    expect(short).toEqual({ hops: 2, statements: 3 })
    await mara.says('keyed', {}, { 'Idempotency-Key': 'budget' })
    expect(world.lastRequest).toEqual({ hops: 2, statements: 4 })
  })

  test('what an Idempotency-Key costs elsewhere is two calls, and two statements at either end', async () => {
    await mara.post('/api/v1/lists', { title: 'plain' })
    const plain = world.lastRequest
    await mara.post('/api/v1/lists', { title: 'keyed' }, { 'Idempotency-Key': 'list' })
    expect(world.lastRequest).toEqual({ hops: plain.hops + 2, statements: plain.statements + 4 })
    await mara.post('/api/v1/lists', { title: 'keyed' }, { 'Idempotency-Key': 'list' })
    expect(world.lastRequest).toEqual({ hops: plain.hops, statements: 3 })
  })

  describe('four pictures, ten mentions and five tags', () => {
    let text: string
    const pictures = () => Promise.all(Array.from({ length: 4 }, () => uploads(mara)))
    beforeAll(async () => {
      const names = Array.from({ length: 10 }, (_, index) => `guest${index}`)
      await world.cast(...names)
      text = `${names.map((name) => `@${name}`).join(' ')} ${Array.from({ length: 5 }, (_, index) => `#new${index}`).join(' ')}`
    })

    test('takes three calls in sequence and few statements', async () => {
      await mara.says(text, { media_ids: await pictures() }, { 'Idempotency-Key': 'whole' })
      expect(world.lastRequest.hops).toBe(3)
      expect(world.lastRequest.statements).toBeLessThanOrEqual(25)
    })

    test('is written in one transaction, and not read back', async () => {
      const body = { status: text, media_ids: await pictures() }
      const { id, after } = await withColdServer(world, async ({ origin, statements }) => {
        statements()
        const answer = await ask(origin, 'POST', '/api/v1/statuses', { token: mara.token, body })
        expect(answer.body).toMatchObject({ mentions: { length: 10 }, tags: { length: 5 }, media_attachments: { length: 4 } })
        const ran = statements()
        const written = ran.findIndex((statement) => statement.includes('insert into status_head'))
        return { id: answer.body.id, after: ran.slice(written + 1) }
      })
      expect(after).toEqual([])
      const rows = await query(
        world,
        `select distinct xmin::text from statuses.status_head where id = $1 union select xmin::text from statuses.status where id = $1
         union select xmin::text from statuses.mention where status_id = $1 union select xmin::text from statuses.status_tag where status_id = $1
         union select xmin::text from statuses.outbox`,
        [id],
      )
      expect(rows).toHaveLength(1)
    })
  })
})
