import { TrendKind, TrendOperatorDefinition } from '@rookery/contracts/statuses'
import { type Person, World, type WorldOptions } from '@rookery/test-world'
import { innerCall, operatorClient } from '@rookery/test-world/calls'
import { trendingLink } from '@rookery/test-world/contract'
import { said as saidElsewhere, stranger } from '@rookery/test-world/elsewhere'
import { openPageServer } from '@rookery/test-world/page-server'
import { holding, idsOf, linksOf, query, runJob, STORED_CARD, untilSomeoneWaits, walk } from '@rookery/test-world/queries'
import { faultsIn } from '@rookery/test-world/shape'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// What trends (spec, Trends; beyond-the-spec 1.16, 2.3).

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A world at noon, so that hours of a test are hours of one day. */
const openAtNoon = async (options?: WorldOptions) => {
  const world = await World.open(options)
  await world.advance(DAY - (world.clock.now() % DAY) + 12 * HOUR)
  return world
}

const operatorOf = (world: World) => operatorClient(world, TrendOperatorDefinition)

/** Everything that was done is counted. */
const counted = async (world: World) => {
  await world.advance(0)
  await runJob(world, 'update-trends')
}
const namesOf = (tags: Json[]): string[] => tags.map(({ name }) => name)
const change = (person: Person, body: object) => person.asks('PATCH', '/api/v1/accounts/update_credentials', { body })
const saidBy = (people: readonly Person[], text: string, more: object = {}) =>
  Promise.all(people.map((person) => person.says(text, { ...more })))

describe('where no moderator has rejected them', () => {
  let world: World
  let viewer: Person
  /** Six who want to be found. */
  let people: Person[]
  let pages: Awaited<ReturnType<typeof openPageServer>>

  beforeAll(async () => {
    pages = await openPageServer()
    world = await openAtNoon({
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      mayConnect: ({ address, port }) => address === '127.0.0.1' && port === pages.port,
    })
    const { reader, ...cast } = await world.cast('reader', 'anna', 'bert', 'cora', 'dirk', 'emma', 'finn')
    viewer = reader
    people = Object.values(cast)
    for (const person of people) await change(person, { discoverable: true })
  })
  afterAll(async () => {
    await world.close()
    await pages.close()
  })

  const read = async (what: string, reader: Pick<Person | World, 'get'> = world): Promise<Json[]> => {
    const answer = await reader.get(`/api/v1/trends/${what}`)
    expect(answer.status).toBe(200)
    return answer.body
  }
  const tags = async () => namesOf(await read('tags'))

  describe('tags', () => {
    test('trend once five accounts use them on a day, however often one does', async () => {
      await saidBy(people.slice(0, 4), '#Heron')
      for (let again = 0; again < 3; again++) await people[0]!.says('#heron again')
      await counted(world)
      expect(await tags()).toEqual([])
      await people[4]!.says('#heron at last')
      await counted(world)
      const [tag, ...others] = await read('tags', viewer)
      expect(others).toEqual([])
      expect(tag).toMatchObject({ name: 'Heron', url: `${world.origin}/tags/heron`, following: false, featuring: false })
      const today = Math.floor(world.clock.now() / DAY) * 86_400
      expect(tag.history).toEqual(
        Array.from({ length: 7 }, (_, ago) => ({
          day: String(today - ago * 86_400),
          uses: ago === 0 ? '8' : '0',
          accounts: ago === 0 ? '5' : '0',
        })),
      )
      expect((await read('tags'))[0]).toEqual((await world.get('/api/v1/tags/heron')).body)
    })

    test('are those of the older address too', async () =>
      expect((await world.get('/api/v1/trends')).text).toBe((await world.get('/api/v1/trends/tags')).text))

    test('come in the order of their scores', async () => {
      await saidBy(people, '#egret #bittern')
      await people[0]!.says('#bittern')
      await saidBy([viewer], '#egret')
      await counted(world)
      expect(await tags()).toEqual(['egret', 'bittern', 'Heron'])
    })

    test.each([
      ['unlisted', { visibility: 'unlisted' }],
      ['private', { visibility: 'private' }],
      ['sensitive', { sensitive: true }],
      ['behind a warning', { spoiler_text: 'birds' }],
    ])('do not count statuses that are %s', async (how, more) => {
      const before = await tags()
      await saidBy(people, `#crane${how.replaceAll(' ', '')}`, more)
      await counted(world)
      expect(await tags()).toEqual(before)
    })

    test('count what is there after edits and deletions', async () => {
      const said = await saidBy(people.slice(0, 5), '#ibis')
      await counted(world)
      expect(await tags()).toContain('ibis')
      await people[0]!.asks('DELETE', `/api/v1/statuses/${said[0].id}`)
      await counted(world)
      expect(await tags()).not.toContain('ibis')
      await people[5]!.says('#ibis')
      await counted(world)
      expect(await tags()).toContain('ibis')
      await people[1]!.asks('PUT', `/api/v1/statuses/${said[1].id}`, { body: { status: 'no bird' } })
      await counted(world)
      expect(await tags()).not.toContain('ibis')
      await people[1]!.asks('PUT', `/api/v1/statuses/${said[1].id}`, { body: { status: '#ibis' } })
      await counted(world)
      expect(await tags()).toContain('ibis')
      await people[1]!.asks('PUT', `/api/v1/statuses/${said[1].id}`, { body: { status: '#ibis', sensitive: true } })
      await counted(world)
      expect(await tags()).not.toContain('ibis')
    })

    test.each([
      ['silenced', (username: string, is: boolean) => world.operator().setSilenced(innerCall(), { username, isSilenced: is })],
      ['suspended', (username: string, is: boolean) => world.operator().setSuspended(innerCall(), { username, isSuspended: is })],
    ])('do not count people while they are %s', async (how, set) => {
      await saidBy(people.slice(0, 5), `#stork${how}`)
      await counted(world)
      expect(await tags()).toContain(`stork${how}`)
      await set('anna', true)
      await counted(world)
      expect(await tags()).not.toContain(`stork${how}`)
      await set('anna', false)
      await counted(world)
      expect(await tags()).toContain(`stork${how}`)
    })

    test('go on by offset, for what a page costs', async () => {
      const all = await tags()
      const [one, ...rest] = await walk(world, '/api/v1/trends/tags?limit=1')
      expect(namesOf([one, ...rest].flat())).toEqual(all)
      const second = await world.get('/api/v1/trends/tags?limit=2&offset=1&other=1')
      expect(linksOf(second)).toEqual({
        next: `${world.origin}/api/v1/trends/tags?limit=2&offset=3`,
        prev: `${world.origin}/api/v1/trends/tags?limit=2&offset=0`,
      })
      expect(namesOf((await world.get('/api/v1/trends/tags?limit=99')).body)).toHaveLength(all.length)
      for (const address of ['?limit=0', '?offset=99999999999999999999'])
        expect((await world.get(`/api/v1/trends/tags${address}`)).body).toEqual([])
      await world.get('/api/v1/trends/tags?limit=1')
      expect(world.lastRequest).toEqual({ hops: 1, statements: 2 })
      await world.get('/api/v1/trends/tags')
      expect(world.lastRequest).toEqual({ hops: 1, statements: 2 })
      await viewer.get('/api/v1/trends/tags')
      expect(world.lastRequest).toEqual({ hops: 2, statements: 4 })
    })
  })

  describe('statuses', () => {
    const like = (status: { id: string }, by: readonly Person[]) => Promise.all(by.map((person) => person.reacts('favourite', status)))
    const statuses = async (reader: Pick<Person | World, 'get'> = world) => idsOf(await read('statuses', reader))
    let first: Json
    let second: Json

    test('trend by how often others favourite and boost them, the most first', async () => {
      const [anna, bert, cora, dirk] = people as [Person, Person, Person, Person]
      first = await anna.says('tea')
      second = await bert.says('coffee')
      const own = await cora.says('water')
      for (const act of ['favourite', 'reblog']) await cora.reacts(act, own)
      await like(second, [anna, cora])
      await like(first, [bert, cora])
      await dirk.reacts('reblog', first)
      await counted(world)
      expect(await statuses()).toEqual([first.id, second.id])
      expect((await read('statuses', viewer))[0]).toEqual((await viewer.get(`/api/v1/statuses/${first.id}`)).body)
    })

    test.each<[string, object]>([
      ['replies', { in_reply_to_id: 'FIRST' }],
      ['unlisted', { visibility: 'unlisted' }],
      ['sensitive', { sensitive: true }],
    ])('do not trend that are %s', async (_what, more) => {
      const body = JSON.parse(JSON.stringify(more).replace('FIRST', first.id))
      const said = await people[0]!.says('not this', body)
      await like(said, people.slice(1))
      await counted(world)
      expect(await statuses()).not.toContain(said.id)
    })

    test('do not trend that answer a status of another server that is not known here', async () => {
      const author = await stranger(world, 'remy', 'far.example', { discoverable: true })
      const [own, reply] = [
        await saidElsewhere(world, author, 'tea'),
        await saidElsewhere(world, author, 'yes', { isReplyToUnknown: true }),
      ]
      for (const status of [own, reply]) await like(status, people)
      await counted(world)
      expect((await statuses()).filter((id) => [own.id, reply.id].includes(id))).toEqual([own.id])
    })

    test('do not trend by people who do not want to be found', async () => {
      const said = await viewer.says('by the way')
      await like(said, people)
      await counted(world)
      expect(await statuses()).not.toContain(said.id)
      await change(viewer, { discoverable: true })
      await counted(world)
      await people[0]!.reacts('reblog', said)
      await counted(world)
      expect(await statuses()).toContain(said.id)
      await change(viewer, { discoverable: false })
      expect(await statuses()).not.toContain(said.id)
    })

    test('leave when favourites are taken back, when they become sensitive, and when they are deleted', async () => {
      const [anna, bert, cora] = people as [Person, Person, Person]
      const said = await Promise.all(['one', 'two', 'three'].map((text) => anna.says(text)))
      for (const each of said) await like(each, [bert, cora])
      await counted(world)
      expect(await statuses()).toEqual(expect.arrayContaining(idsOf(said)))
      await bert.reacts('unfavourite', said[0])
      await anna.asks('PUT', `/api/v1/statuses/${said[1].id}`, { body: { status: 'two', spoiler_text: 'hot' } })
      await anna.asks('DELETE', `/api/v1/statuses/${said[2].id}`)
      await counted(world)
      expect((await statuses()).filter((id) => idsOf(said).includes(id))).toEqual([])
    })

    test('are shown as public timelines show them', async () => {
      const [anna, bert] = people as [Person, Person]
      expect(await statuses(viewer)).toEqual(expect.arrayContaining([first.id, second.id]))
      await viewer.does('block', anna)
      await bert.does('block', viewer)
      expect((await statuses(viewer)).filter((id) => [first.id, second.id].includes(id))).toEqual([])
      expect(await statuses()).toEqual(expect.arrayContaining([first.id, second.id]))
      await viewer.does('unblock', anna)
      await bert.does('unblock', viewer)
      await viewer.does('mute', anna)
      expect(await statuses(viewer)).not.toContain(first.id)
      await viewer.does('unmute', anna)
      await viewer.post('/api/v2/filters', { title: 'tea', context: ['public'], keywords_attributes: [{ keyword: 'tea' }] })
      const shown = (await read('statuses', viewer)).find(({ id }) => id === first.id)
      expect(shown.filtered).toMatchObject([{ filter: { title: 'tea' } }])
      await world.operator().setSilenced(innerCall(), { username: 'bert', isSilenced: true })
      expect(await statuses()).not.toContain(second.id)
      await world.operator().setSilenced(innerCall(), { username: 'bert', isSilenced: false })
    })

    test('go on by offset, whole pages at one cost', async () => {
      await viewer.does('block', people[0]!)
      const all = await statuses(viewer)
      expect(all.length).toBeGreaterThan(0)
      expect((await walk(viewer, '/api/v1/trends/statuses?limit=1')).flat().map(({ id }) => id)).toEqual(all)
      await viewer.get('/api/v1/trends/statuses')
      expect(world.lastRequest).toEqual({ hops: 2, statements: 2 })
      await viewer.does('unblock', people[0]!)
      await world.get('/api/v1/trends/statuses')
      expect(world.lastRequest).toEqual({ hops: 1, statements: 1 })
    })

    test('decay by the hour', async () => {
      await world.advance(5 * HOUR)
      expect(await statuses()).not.toContain(second.id)
      expect(await statuses()).toContain(first.id)
      await world.advance(2 * HOUR)
      expect(await statuses()).not.toContain(first.id)
    })
  })

  describe('links', () => {
    const news = () => `http://news.birds.example:${pages.port}/news`
    const timeline = (url: string, reader: Pick<Person | World, 'get'> = world) =>
      reader.get(`/api/v1/timelines/link?url=${encodeURIComponent(url)}`)

    test('trend with their card and history once five accounts show them', async () => {
      const { writer } = await world.cast('writer')
      await change(writer, { attribution_domains: ['birds.example'] })
      const creator = `@writer@${new URL(world.address).host}`
      pages.page('/news', `<title>News of birds</title><meta name="fediverse:creator" content="${creator}">`)
      const url = news()
      const said = await saidBy(people.slice(0, 4), `look: ${url}`)
      await counted(world)
      expect(await read('links')).toEqual([])
      expect((await timeline(url)).status).toBe(404)
      said.push(await people[4]!.says(`${url}#there and ${pages.at('/other')}`))
      await counted(world)
      const links = await read('links')
      const card = (await world.get(`/api/v1/statuses/${said[0].id}`)).body.card
      expect(links).toEqual([{ ...card, history: expect.any(Array) }])
      expect(links[0].authors).toMatchObject([{ account: { acct: 'writer' } }])
      expect(links[0].history).toHaveLength(7)
      expect(links[0].history[0]).toMatchObject({ uses: '5', accounts: '5' })
      await world.get('/api/v1/trends/links')
      expect(world.lastRequest).toEqual({ hops: 1, statements: 3 })
    })

    test('have a timeline of the public statuses that show them, as long as they trend', async () => {
      const url = news()
      await people[5]!.says(`unlisted ${url}`, { visibility: 'unlisted' })
      await world.idle()
      const shown = await timeline(url)
      expect(shown.body.map(({ account }: Json) => account.username).toSorted()).toEqual(['anna', 'bert', 'cora', 'dirk', 'emma'])
      expect(idsOf(shown.body)).toEqual(idsOf(shown.body).toSorted().reverse())
      expect((await walk(world, `/api/v1/timelines/link?limit=2&url=${encodeURIComponent(url)}`)).flat()).toEqual(shown.body)
      await viewer.does('block', people[4]!)
      expect((await timeline(`${url}#here`, viewer)).body).toHaveLength(4)
      await viewer.does('unblock', people[4]!)
      await change(people[0]!, { discoverable: false })
      expect((await timeline(url)).body.map(({ account }: Json) => account.username).toSorted()).toEqual(['bert', 'cora', 'dirk', 'emma'])
      await change(people[0]!, { discoverable: true })
      for (const wrong of ['', 'tea', pages.at('/other'), 'https://example.org/'])
        expect([wrong, (await timeline(wrong)).status]).toEqual([wrong, 404])
      for (const cursor of ['max_id=0', 'min_id=9223372036854775807', 'limit=0'])
        expect((await world.get(`/api/v1/timelines/link?${cursor}&url=${encodeURIComponent(url)}`)).body).toEqual([])
    })

    test('are gone once they have decayed', async () => {
      await world.advance(66 * HOUR)
      expect(await read('links')).toEqual([])
      expect((await timeline(news())).status).toBe(404)
      expect(await tags()).toEqual([])
    })
  })

  test('counters are those of a recount, also after redeliveries and a kill in the middle', async () => {
    await saidBy(people, '#kite and #kestrel')
    await world.idle()
    const lock = await holding(world)
    await lock.query('lock table statuses.trend_day in exclusive mode')
    await query(world, `select statuses_jobs.add_job('update-trends')`)
    const failing = world.rookery.runJobs()
    await untilSomeoneWaits(world)
    await query(
      world,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and usename = 'statuses' and wait_event_type = 'Lock'`,
    )
    await failing
    await lock.end()
    expect(await tags()).toEqual([])
    await query(world, 'delete from statuses.processed_event')
    await counted(world)
    await counted(world)
    expect(await tags()).toEqual(expect.arrayContaining(['kite', 'kestrel']))
    const difference = await query(
      world,
      `with naive as (
         select t.name, (t.status_id >> 16) / 86400000 as day, count(*)::int uses, count(distinct t.author_id)::int accounts
         from statuses.status_tag t join statuses.status_head h on h.id = t.status_id join statuses.status s on s.id = t.status_id
         where h.visibility = 1 and not s.sensitive and t.status_id >= $1 group by 1, 2)
       select * from naive n full join (select * from statuses.trend_day where kind = 'tag' and accounts <> 0) d
         on d.key = n.name and d.day = n.day where (n.uses, n.accounts) is distinct from (d.uses, d.accounts)`,
      [String(BigInt(Math.floor(world.clock.now() / DAY) - 6) * BigInt(DAY) * 65_536n)],
    )
    expect(difference).toEqual([])
  })
})

describe('where moderators review them', () => {
  let world: World
  let people: Person[]
  beforeAll(async () => {
    world = await openAtNoon({ settings: { TRENDS: 'reviewed', TRENDS_MIN_ACCOUNTS: '2' } })
    people = Object.values(await world.cast('anna', 'bert', 'cora'))
    for (const person of people) await change(person, { discoverable: true })
  })
  afterAll(() => world.close())

  test('tags and statuses trend after their approval alone, and never after a rejection', async () => {
    const operator = operatorOf(world)
    const [anna, bert, cora] = people as [Person, Person, Person]
    await saidBy([anna, bert], '#Wren #dunnock')
    const said = await anna.says('tea')
    for (const person of [bert, cora]) await person.reacts('favourite', said)
    await counted(world)
    const shown = async () => [
      namesOf((await world.get('/api/v1/trends/tags')).body),
      idsOf((await world.get('/api/v1/trends/statuses')).body),
    ]
    expect(await shown()).toEqual([[], []])
    const list = async (kind: TrendKind) => (await operator.list(innerCall(), { kind })).trends.map(({ name, review }) => [name, review])
    expect((await list(TrendKind.TAG)).toSorted()).toEqual([
      ['Wren', 0],
      ['dunnock', 0],
    ])
    expect(await list(TrendKind.STATUS)).toEqual([[said.id, 0]])
    await operator.review(innerCall(), { kind: TrendKind.TAG, name: 'wren', isApproved: true })
    await operator.review(innerCall(), { kind: TrendKind.TAG, name: '#dunnock', isApproved: false })
    await operator.review(innerCall(), { kind: TrendKind.STATUS, name: said.id, isApproved: true })
    expect(await shown()).toEqual([['Wren'], [said.id]])
    expect((await list(TrendKind.TAG)).toSorted()).toEqual([
      ['Wren', 1],
      ['dunnock', 2],
    ])
    await operator.review(innerCall(), { kind: TrendKind.TAG, name: 'wren', isApproved: false })
    await operator.review(innerCall(), { kind: TrendKind.STATUS, name: said.id, isApproved: false })
    expect(await shown()).toEqual([[], []])
  })

  test('moderators find and decide about them by the API', async () => {
    const moderator = await world.person('mod', { role: 'moderator', scopes: 'read write admin:read admin:write' })
    const [anna, bert, cora] = people as [Person, Person, Person]
    const url = 'https://tea.example/'
    await saidBy([anna, bert], `#linnet at ${url}`)
    const said = await anna.says('tea again')
    for (const person of [bert, cora]) await person.reacts('favourite', said)
    await world.idle()
    await query(world, 'update statuses.preview_card set card = $1', [JSON.stringify(STORED_CARD)])
    await counted(world)
    const found = async (what: string) => (await moderator.get(`/api/v1/admin/trends/${what}`)).body
    const shown = async (what: string) => (await world.get(`/api/v1/trends/${what}`)).body
    const decide = async (what: string, id: string, verb: string) => {
      const answer = await moderator.post(`/api/v1/admin/trends/${what}/${id}/${verb}`)
      expect(answer.status).toBe(200)
      return answer.body
    }

    const tag = (await found('tags')).find(({ name }: Json) => name === 'linnet')
    const { following: _following, featuring: _featuring, ...own } = (await moderator.get('/api/v1/tags/linnet')).body
    expect(tag).toMatchObject({ ...own, trendable: false, usable: true, listable: true, requires_review: true })
    expect(await decide('tags', tag.id, 'approve')).toEqual({ ...tag, trendable: true, requires_review: false })
    expect(namesOf(await shown('tags'))).toEqual(['linnet'])
    expect(await decide('tags', tag.id, 'reject')).toEqual({ ...tag, trendable: false, requires_review: false })
    expect(await shown('tags')).toEqual([])
    expect(namesOf(await found('tags'))).toContain('linnet')

    const [{ id, requires_review, ...card }] = await found('links')
    expect([id, requires_review, await shown('links')]).toEqual([expect.stringMatching(/^[1-9]\d*$/), true, []])
    expect(faultsIn(card, trendingLink)).toEqual([])
    expect(await decide('links', id, 'approve')).toEqual({ id, ...card, requires_review: false })
    expect(await shown('links')).toEqual([card])
    expect((await world.get(`/api/v1/timelines/link?url=${url}`)).body).toHaveLength(2)
    await decide('links', id, 'reject')
    expect([await shown('links'), (await world.get(`/api/v1/timelines/link?url=${url}`)).status]).toEqual([[], 404])

    const requiresReview = async () => (await found('statuses')).find((each: Json) => each.id === said.id)?.requires_review
    expect(await requiresReview()).toBe(true)
    expect(await decide('statuses', said.id, 'approve')).toMatchObject({ id: said.id, requires_review: false })
    expect([await requiresReview(), (await world.get(`/api/v1/statuses/${said.id}`)).body]).toEqual([
      false,
      expect.not.objectContaining({ requires_review: expect.anything() }),
    ])
    expect(idsOf(await shown('statuses'))).toEqual([said.id])
    await decide('statuses', said.id, 'reject')
    expect(await shown('statuses')).toEqual([])
    const secret = await anna.says('psst', { visibility: 'private' })
    for (const missing of [`statuses/${secret.id}`, 'tags/999999', 'links/999999'])
      expect((await moderator.post(`/api/v1/admin/trends/${missing}/approve`)).status).toBe(404)
  })

  test('a decision about a publisher holds for its links that nothing was decided about', async () => {
    const moderator = await world.person('editor', { role: 'moderator', scopes: 'read write admin:read admin:write' })
    const [anna, bert] = people as [Person, Person]
    const addresses = [
      'https://www.news.example/one',
      'https://news.example:8443/two',
      'https://NEWS.example?three',
      'https://other.example/',
    ]
    const shown = async () => (await world.get('/api/v1/trends/links')).body.map(({ url }: Json) => url).toSorted()
    const post = async (url: string) => {
      await saidBy([anna, bert], `read ${url}`)
      await world.idle()
      const stored = JSON.stringify({ ...STORED_CARD, title: url })
      await query(world, 'update statuses.preview_card set card = $1 where url = $2', [stored, new URL(url).href])
      await counted(world)
    }
    for (const url of addresses) await post(url)
    const list = async () => (await moderator.get('/api/v1/admin/trends/links/publishers?limit=2')).body
    const [other, news, ...more] = await list()
    expect(more).toEqual([])
    const requested = { requested_review_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/), reviewed_at: null }
    expect(news).toEqual({ id: expect.any(String), domain: 'news.example', trendable: null, requires_review: true, ...requested })
    expect([other.domain, await shown()]).toEqual(['other.example', []])

    const decide = async (path: string, verb: string) => {
      const { status, body } = await moderator.post(`/api/v1/admin/trends/links/${path}/${verb}`)
      expect(status).toBe(200)
      return body
    }
    const found = async () => (await moderator.get('/api/v1/admin/trends/links')).body as Json[]
    const [one, two, three] = addresses.map((url) => new URL(url).href)
    const idOf = async (url: string | undefined) =>
      (await found()).find((each) => each.title === addresses.find((typed) => new URL(typed).href === url)).id
    const reviewed = await decide(`publishers/${news.id}`, 'approve')
    expect(reviewed).toMatchObject({ domain: 'news.example', trendable: true, requires_review: false, reviewed_at: expect.any(String) })
    expect((await list())[1]).toEqual(reviewed)
    expect(await shown()).toEqual([one, two, three].toSorted())
    expect((await found()).filter(({ requires_review: isOpen }) => isOpen)).toHaveLength(1)
    await decide(await idOf(two), 'reject')
    expect(await shown()).toEqual([one, three].toSorted())
    expect((await world.get(`/api/v1/timelines/link?url=${one}`)).body).toHaveLength(2)
    await decide(await idOf(three), 'approve')
    const operator = operatorOf(world)
    await operator.review(innerCall(), { kind: TrendKind.PUBLISHER, name: 'WWW.News.example', isApproved: false })
    expect(await shown()).toEqual([three])
    expect((await world.get(`/api/v1/timelines/link?url=${one}`)).status).toBe(404)
    expect(
      (await operator.list(innerCall(), { kind: TrendKind.PUBLISHER })).trends.slice(0, 2).map(({ name, review }) => [name, review]),
    ).toEqual([
      ['other.example', 0],
      ['news.example', 2],
    ])
    expect((await moderator.post('/api/v1/admin/trends/links/publishers/999999/approve')).status).toBe(404)
  })

  test('a link whose host is longer than names may be is no publisher, and does not keep others from trending', async () => {
    const [anna, bert] = people as [Person, Person]
    const long = `https://${Array.from({ length: 90 }, () => crypto.randomUUID()).join('.')}.example/`
    await saidBy([anna, bert], 'https://long.example/ and #siskin')
    await world.idle()
    // As another server may write it: what is posted here has a shorter one.
    await query(world, 'update statuses.preview_card set url = $1 where url = $2', [long, 'https://long.example/'])
    await counted(world)
    expect(await query(world, 'select domain from statuses.publisher where length(domain) > 253')).toEqual([])
    const { trends } = await operatorOf(world).list(innerCall(), { kind: TrendKind.TAG })
    expect(trends.map(({ name }) => name)).toContain('siskin')
  })

  test.each<[string, TrendKind, string]>([
    ['a publisher no link of whom trended', TrendKind.PUBLISHER, 'unknown.example'],
    ['what is no domain', TrendKind.PUBLISHER, 'two words'],
    ['a tag no one used', TrendKind.TAG, 'nobodyusesthis'],
    ['what is no tag', TrendKind.TAG, 'two words'],
    ['a link no one posted', TrendKind.LINK, 'https://example.org/'],
    ['what is no address', TrendKind.LINK, 'tea'],
    ['a status that is not there', TrendKind.STATUS, '1'],
    ['what is no id', TrendKind.STATUS, 'tea'],
  ])('%s cannot be reviewed', async (_what, kind, name) => {
    await expect(operatorOf(world).review(innerCall(), { kind, name, isApproved: true })).rejects.toMatchObject({ kind: 'not_found' })
  })
})

describe('where trends are off', () => {
  test('nothing trends, and clients get an empty list', async () => {
    const world = await openAtNoon({ settings: { TRENDS: 'off', TRENDS_MIN_ACCOUNTS: '2' } })
    await saidBy(Object.values(await world.cast('anna', 'bert')), '#robin')
    await counted(world)
    for (const path of ['/api/v1/trends', '/api/v1/trends/tags', '/api/v1/trends/statuses', '/api/v1/trends/links']) {
      const answer = await world.get(path)
      expect([path, answer.status, answer.body, answer.headers.get('link')]).toEqual([path, 200, [], null])
    }
    expect((await world.get('/api/v1/timelines/link?url=https://example.org/')).status).toBe(404)
    await world.close()
  })

  test('a minimum of one account is refused', async () => {
    await expect(World.open({ settings: { TRENDS_MIN_ACCOUNTS: '1' } })).rejects.toThrow('TRENDS_MIN_ACCOUNTS must be at least 2')
  })
})
