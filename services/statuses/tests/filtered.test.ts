import { type Listener, type Person, World } from '@rookery/test-world'
import { query } from '@rookery/test-world/queries'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

// What filters do to everything that carries statuses (beyond-the-spec 1.1 FilterResult, 1.7, 1.13).

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

const FILTERS = '/api/v2/filters'

let world: World
let cast = 0
let mara: Person
let joel: Person
const listeners: Listener[] = []
beforeAll(async () => {
  world = await World.open()
})
beforeEach(async () => {
  cast++
  ;[mara, joel] = await Promise.all([world.person(`mara${cast}`), world.person(`joel${cast}`)])
})
afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => listener.close()))
})
afterAll(() => world.close())

const filters = async (person: Person, keywords: string[], more: Record<string, unknown> = {}): Promise<Json> => {
  const body = { title: 'drinks', context: ['account'], keywords_attributes: keywords.map((keyword) => ({ keyword })), ...more }
  return (await person.post(FILTERS, body)).body
}
const read = async (person: Person, { id }: Json): Promise<Json> => (await person.get(`/api/v1/statuses/${id}`)).body
const matches = ({ filtered }: Json): unknown => filtered?.map(({ keyword_matches }: Json) => keyword_matches)
const listens = async (person: Person, stream: string, parameters: Record<string, string> = {}) => {
  const listener = await person.listens(stream, parameters)
  listeners.push(listener)
  return listener
}
const heard = async (listener: Listener, event: string, id?: string): Promise<Json> => {
  const { payload } = await listener.hears((frame) => frame.event === event && (!id || (frame.payload ?? '').includes(`"id":"${id}"`)))
  return payload === undefined ? undefined : JSON.parse(payload)
}

describe('a status that fits', () => {
  test('says so to whose filter it is, in any context, and to no one else', async () => {
    const filter = await filters(mara, ['tea'], { filter_action: 'hide', expires_in: 600 })
    const said = await joel.says('Tea?')
    const { keywords: _keywords, statuses: _statuses, ...summary } = filter
    expect((await read(mara, said)).filtered).toEqual([{ filter: summary, keyword_matches: ['Tea'], status_matches: null }])
    expect((await read(joel, said)).filtered).toEqual([])
    expect('filtered' in (await world.get(`/api/v1/statuses/${said.id}`)).body).toBe(false)
  })

  test('fits by its warning, its words, the options of its poll and the descriptions of its files; not by markup or names', async () => {
    const png = await (await fetch(PICTURE)).blob()
    const form = new FormData()
    form.append('file', png, 'a.png')
    form.append('description', 'a pot of tea')
    const media = (await joel.asks('POST', '/api/v2/media', { body: form })).body
    await filters(mara, ['tea', 'span', 'class', 'href'])
    const fitting = [
      await joel.says('hello', { spoiler_text: 'about TEA' }),
      await joel.says('what is <b>tea</b>?'),
      await joel.says('look at #tea'),
      await joel.says('https://tea.example/leaves'),
      await joel.says('which?', { poll: { options: ['Tea', 'milk'], expires_in: 600 } }),
      await joel.says('look', { media_ids: [media.id] }),
    ]
    for (const status of fitting) expect([status.content, matches(await read(mara, status))]).toEqual([status.content, [expect.anything()]])
    const other = await joel.says('steam at https://example.org/#x')
    expect((await read(mara, other)).filtered).toEqual([])
  })

  test('fits after an edit, and no more after another', async () => {
    await filters(mara, ['tea'])
    const said = await joel.says('milk')
    const edit = (status: string) => joel.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status } })
    expect((await read(mara, said)).filtered).toEqual([])
    await edit('tea')
    expect(matches(await read(mara, said))).toEqual([['tea']])
    await edit('milk')
    expect((await read(mara, said)).filtered).toEqual([])
  })

  test('fits by what it boosts, on both halves', async () => {
    await filters(mara, ['tea'])
    const said = await joel.says('tea')
    const boost = await joel.reacts('reblog', said)
    const seen = await read(mara, boost)
    expect([matches(seen), matches(seen.reblog)]).toEqual([[['tea']], [['tea']]])
  })

  test('fits as itself, or as what it boosts', async () => {
    const said = await joel.says('milk')
    const boost = await joel.reacts('reblog', said)
    const filter = await filters(mara, [])
    await mara.post(`${FILTERS}/${filter.id}/statuses`, { status_id: said.id })
    const seen = await read(mara, boost)
    for (const half of [seen, seen.reblog, await read(mara, said)]) {
      expect(half.filtered).toMatchObject([{ filter: { id: filter.id }, keyword_matches: null, status_matches: [said.id] }])
    }
    const other = await filters(mara, [])
    await mara.post(`${FILTERS}/${other.id}/statuses`, { status_id: boost.id })
    const again = await read(mara, boost)
    expect(again.filtered.map(({ status_matches }: Json) => status_matches)).toEqual([[said.id], [boost.id]])
    expect(again.reblog.filtered).toHaveLength(1)
  })

  test('fits until the filter has run out', async () => {
    const filter = await filters(mara, ['tea'], { expires_in: 600 })
    const lasting = await filters(mara, ['tea'])
    const said = await joel.says('tea')
    const fitting = async () => (await read(mara, said)).filtered.map((result: Json) => result.filter.id)
    expect(await fitting()).toEqual([filter.id, lasting.id])
    world.clock.advance(601_000)
    expect(await fitting()).toEqual([lasting.id])
    await mara.asks('PUT', `${FILTERS}/${filter.id}`, { body: { expires_in: '' } })
    expect(await fitting()).toEqual([filter.id, lasting.id])
  })

  test('follows every change of any part at once', async () => {
    const said = await joel.says('tea and milk')
    const now = async () => (await read(mara, said)).filtered.map((result: Json) => [result.filter.title, result.keyword_matches])
    expect(await now()).toEqual([])
    const filter = await filters(mara, [])
    const keyword = (await mara.post(`${FILTERS}/${filter.id}/keywords`, { keyword: 'tea' })).body
    expect(await now()).toEqual([['drinks', ['tea']]])
    await mara.asks('PUT', `${FILTERS}/keywords/${keyword.id}`, { body: { keyword: 'mil' } })
    expect(await now()).toEqual([])
    await mara.asks('PUT', `${FILTERS}/keywords/${keyword.id}`, { body: { keyword: 'mil', whole_word: false } })
    expect(await now()).toEqual([['drinks', ['mil']]])
    await mara.asks('PUT', `${FILTERS}/${filter.id}`, { body: { title: 'food' } })
    expect(await now()).toEqual([['food', ['mil']]])
    await mara.asks('DELETE', `${FILTERS}/keywords/${keyword.id}`)
    expect(await now()).toEqual([])
    const entry = (await mara.post(`${FILTERS}/${filter.id}/statuses`, { status_id: said.id })).body
    expect(await now()).toEqual([['food', null]])
    await mara.asks('DELETE', `${FILTERS}/statuses/${entry.id}`)
    expect(await now()).toEqual([])
    const phrase = (await mara.post('/api/v1/filters', { phrase: 'tea', context: ['home'] })).body
    expect(await now()).toEqual([['tea', ['tea']]])
    await mara.asks('DELETE', `/api/v1/filters/${phrase.id}`)
    expect(await now()).toEqual([])
  })

  test('says so on everything that carries statuses', async () => {
    await filters(mara, ['tea'])
    await mara.follows(joel)
    const said = await joel.says(`a #tea for @${mara.username}`)
    const notified = await joel.says(`tea @${mara.username}`, { visibility: 'direct' })
    const answer = await joel.says('more tea', { in_reply_to_id: said.id })
    await world.idle()
    const own = await mara.says('my tea')
    expect(matches(own)).toEqual([['tea']])
    for (const act of ['favourite', 'bookmark']) expect(matches(await mara.reacts(act, said))).toEqual([['tea']])
    const statuses: [string, Json][] = [
      ['home', await mara.home()],
      ...(await Promise.all(
        [
          '/api/v1/timelines/public',
          '/api/v1/timelines/tag/tea',
          `/api/v1/accounts/${joel.id}/statuses`,
          '/api/v1/favourites',
          '/api/v1/bookmarks',
          `/api/v1/statuses?id[]=${said.id}`,
        ].map(async (path): Promise<[string, Json]> => [path, (await mara.get(path)).body]),
      )),
      ['search', (await mara.get('/api/v2/search?q=tea&type=statuses')).body.statuses],
      ['context', (await mara.get(`/api/v1/statuses/${said.id}/context`)).body.descendants],
      ['notifications', (await mara.notifications()).flatMap(({ status }: Json) => status ?? [])],
      ['conversations', (await mara.get('/api/v1/conversations')).body.map(({ last_status }: Json) => last_status)],
    ]
    const here = new Set([said, notified, answer, own].map(({ id }) => id))
    for (const [where, list] of statuses) {
      const found = list.filter(({ id }: Json) => here.has(id))
      expect([where, found.length > 0, ...found.map(matches)]).toEqual([where, true, ...found.map(() => [['tea']])])
    }
    expect([answer, notified].every(({ filtered }) => filtered.length === 0)).toBe(true)
  })
})

describe('open streams', () => {
  test('say to everyone what their own filters say, of what is new and of what changes', async () => {
    await filters(mara, ['tea'])
    await mara.follows(joel)
    await world.idle()
    const streams = await Promise.all([
      listens(mara, 'user'),
      listens(joel, 'user'),
      listens(mara, 'public'),
      listens(joel, 'public'),
      listens(mara, 'hashtag', { tag: 'cups' }),
    ])
    const said = await joel.says('tea in #cups')
    await world.idle()
    const news = await Promise.all(streams.map((stream) => heard(stream, 'update', said.id)))
    expect(news.map(matches)).toEqual([[['tea']], [], [['tea']], [], [['tea']]])
    expect(news.map((status) => 'favourited' in status)).toEqual([true, true, false, false, false])
    await joel.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: 'milk in #cups' } })
    await world.idle()
    const changes = await Promise.all(streams.map((stream) => heard(stream, 'status.update', said.id)))
    expect(changes.map(matches)).toEqual([[], [], [], [], []])
    const ines = await world.person(`ines${cast}`)
    const boost = await joel.reacts('reblog', await ines.says('more tea'))
    await world.idle()
    const boosted = await heard(streams[0]!, 'update', boost.id)
    expect([matches(boosted), matches(boosted.reblog)]).toEqual([[['tea']], [['tea']]])
  })

  test('say it of statuses in notifications and conversations', async () => {
    await filters(mara, ['tea'])
    await mara.asks('PATCH', '/api/v2/notifications/policy', { body: { for_private_mentions: 'accept' } })
    const [own, direct] = await Promise.all([listens(mara, 'user'), listens(mara, 'direct')])
    await joel.says(`tea @${mara.username}`, { visibility: 'direct' })
    await world.idle()
    expect(matches((await heard(own, 'notification')).status)).toEqual([['tea']])
    expect(matches((await heard(direct, 'conversation')).last_status)).toEqual([['tea']])
  })

  test('follow a change of filters at once', async () => {
    const [own, all] = await Promise.all([listens(mara, 'user'), listens(mara, 'public')])
    await mara.follows(joel)
    await world.idle()
    const seen = async (text: string) => {
      const said = await joel.says(text)
      await world.idle()
      return (await Promise.all([own, all].map((stream) => heard(stream, 'update', said.id)))).map(matches)
    }
    expect(await seen('tea one')).toEqual([[], []])
    const filter = await filters(mara, ['tea'])
    expect(await seen('tea two')).toEqual([[['tea']], [['tea']]])
    await mara.asks('DELETE', `${FILTERS}/${filter.id}`)
    expect(await seen('tea three')).toEqual([[], []])
  })

  test('hear of every change of any part, without a payload, and only of their owner’s', async () => {
    const said = await joel.says('tea')
    const [one, two, other, publicly] = await Promise.all([
      listens(mara, 'user'),
      listens(mara, 'user'),
      listens(joel, 'user'),
      listens(mara, 'public'),
    ])
    const notified = (listener: Listener) => listener.frames.filter(({ event }) => event === 'filters_changed')
    const filter = await filters(mara, ['tea'])
    const keyword = (await mara.post(`${FILTERS}/${filter.id}/keywords`, { keyword: 'milk' })).body
    const entry = (await mara.post(`${FILTERS}/${filter.id}/statuses`, { status_id: said.id })).body
    const phrase = (await mara.post('/api/v1/filters', { phrase: 'water', context: ['home'] })).body
    await mara.asks('PUT', `/api/v1/filters/${phrase.id}`, { body: { phrase: 'juice' } })
    await mara.asks('DELETE', `/api/v1/filters/${phrase.id}`)
    await mara.asks('PUT', `${FILTERS}/keywords/${keyword.id}`, { body: { keyword: 'soup' } })
    await mara.asks('DELETE', `${FILTERS}/keywords/${keyword.id}`)
    await mara.asks('DELETE', `${FILTERS}/statuses/${entry.id}`)
    await mara.asks('PUT', `${FILTERS}/${filter.id}`, { body: { title: 'food' } })
    await mara.asks('DELETE', `${FILTERS}/${filter.id}`)
    // A refused request changes nothing and is pushed to no one.
    await mara.asks('DELETE', `${FILTERS}/${filter.id}`)
    await mara.post(FILTERS, { title: '' })
    const last = await mara.says('last')
    await world.idle()
    for (const listener of [one, two, publicly]) await heard(listener, 'update', last.id)
    expect([one, two, other, publicly].map((listener) => notified(listener).length)).toEqual([11, 11, 0, 0])
    expect(notified(one)[0]).toEqual({ stream: ['user'], event: 'filters_changed', id: expect.stringMatching(/./) })
  })
})

describe('what it costs', () => {
  const insertFilters = (person: Person, count: number) =>
    query(
      world,
      `with made as (
         insert into statuses.filter (account_id, title, contexts, action)
         select $1, 'filter ' || n, '{home}', 'warn' from generate_series(1, $2::int) n returning id),
       bumped as (update statuses.account set context_version = context_version + 1 where id = $1)
       insert into statuses.filter_keyword (filter_id, keyword, whole_word) select id, 'keyword ' || id, true from made`,
      [person.id, count],
    )

  test('costs no statement more with a thousand filters', async () => {
    await mara.follows(joel)
    for (let index = 0; index < 3; index++) await joel.says(`keyword ${index}`)
    await world.idle()
    const cost = async (path: string) => {
      await mara.get(path)
      const cold = world.lastRequest
      await mara.get(path)
      return { cold, warm: world.lastRequest }
    }
    const paths = ['/api/v1/timelines/home', '/api/v1/timelines/public', '/api/v1/notifications']
    const without: Json[] = []
    for (const path of paths) without.push((await cost(path)).warm)
    await insertFilters(mara, 1000)
    for (const [index, path] of paths.entries()) {
      const { cold, warm } = await cost(path)
      expect([path, warm]).toEqual([path, without[index]])
      expect(cold.statements).toBeLessThanOrEqual(12)
    }
    await mara.says('first')
    await mara.says('mine')
    expect(world.lastRequest).toEqual({ hops: 2, statements: 3 })
  })
})

/** A picture of one pixel. */
const PICTURE = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
