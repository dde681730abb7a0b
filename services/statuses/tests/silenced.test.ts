import { type Person, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { following, homeIds, said, stranger as strangerElsewhere } from '@rookery/test-world/elsewhere'
import { idsOf } from '@rookery/test-world/queries'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

// Silenced and suspended people (beyond-the-spec 1.1, 1.10, 1.11, 1.12, 1.15).

let world: World
let mara: Person
let friend: Person
let stranger: Person
let round = 0

const silence = (person: Person, isSilenced = true) => world.operator().setSilenced(innerCall(), { username: person.username, isSilenced })
const suspend = (person: Person, isSuspended = true) =>
  world.operator().setSuspended(innerCall(), { username: person.username, isSuspended })

beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

beforeEach(async () => {
  const names = [`mara${++round}`, `friend${round}`, `stranger${round}`] as const
  const people = await world.cast(...names)
  ;[mara, friend, stranger] = names.map((name) => people[name]!) as [Person, Person, Person]
  await friend.follows(mara)
  await world.idle()
})

const has = async (reader: Person | World, path: string, id: string) => (await reader.get(path)).text.includes(`"id":"${id}"`)

describe('a silenced author', () => {
  test('posts unlisted what was to be public, and the rest as it was meant', async () => {
    await silence(mara)
    const posted = await Promise.all(['public', 'unlisted', 'private', 'direct'].map((visibility) => mara.says('tea', { visibility })))
    expect(posted.map(({ visibility }) => visibility)).toEqual(['unlisted', 'unlisted', 'private', 'direct'])
    expect((await mara.says('by default')).visibility).toBe('unlisted')
    await silence(mara, false)
    expect((await mara.says('public again')).visibility).toBe('public')
  })

  test('keeps the visibility of what was posted before, also when it is edited', async () => {
    const said = await mara.says('tea')
    await silence(mara)
    const edited = await mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: 'coffee' } })
    expect(edited.body).toMatchObject({ visibility: 'public', content: '<p>coffee</p>' })
  })

  test('is limited in every view at once, and then no more', async () => {
    const said = await mara.says('tea')
    const limited = async () => [
      (await world.get(`/api/v1/accounts/${mara.id}`)).body.limited,
      (await friend.get(`/api/v1/statuses/${said.id}`)).body.account.limited,
      (await mara.get('/api/v1/accounts/verify_credentials')).body.limited,
    ]
    expect(await limited()).toEqual([undefined, undefined, undefined])
    await silence(mara)
    expect(await limited()).toEqual([true, true, true])
    await silence(mara, false)
    expect(await limited()).toEqual([undefined, undefined, undefined])
  })

  test('is on no public page, no matter who reads, and comes back', async () => {
    const said = await mara.says(`tea #leaf${round}`)
    const pages = ['/api/v1/timelines/public?limit=40', `/api/v1/timelines/tag/leaf${round}`]
    for (const isSilenced of [true, false]) {
      await silence(mara, isSilenced)
      for (const page of pages) {
        for (const reader of [world, stranger, friend]) expect([page, await has(reader, page, said.id)]).toEqual([page, !isSilenced])
      }
    }
  })

  test('is read by link, on the profile and at home', async () => {
    const said = await mara.says('tea')
    await silence(mara)
    const later = await mara.says('more tea')
    await world.idle()
    for (const reader of [world, stranger]) {
      expect((await reader.get(`/api/v1/statuses/${said.id}`)).status).toBe(200)
      expect(idsOf((await reader.get(`/api/v1/accounts/${mara.id}/statuses`)).body)).toEqual([later.id, said.id])
    }
    expect(idsOf(await friend.home())).toEqual([later.id, said.id])
  })

  test('is left out of threads for those who do not follow', async () => {
    const root = await stranger.says('who drinks tea?')
    const reply = await mara.says('I do', { in_reply_to_id: root.id })
    const answer = await friend.says('me too', { in_reply_to_id: reply.id })
    await silence(mara)
    const below = async (reader: Person | World) => idsOf((await reader.get(`/api/v1/statuses/${root.id}/context`)).body.descendants)
    expect(await below(world)).toEqual([answer.id])
    expect(await below(stranger)).toEqual([answer.id])
    expect(await below(friend)).toEqual([reply.id, answer.id])
    expect(await below(mara)).toEqual([reply.id, answer.id])
    const above = async (reader: Person | World) => idsOf((await reader.get(`/api/v1/statuses/${answer.id}/context`)).body.ancestors)
    expect(await above(stranger)).toEqual([root.id])
    expect(await above(friend)).toEqual([root.id, reply.id])
    expect((await world.get(`/api/v1/statuses/${reply.id}/context`)).status).toBe(200)
  })

  test('is found by followers and by the whole handle', async () => {
    await mara.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: `Tealeaf${round}`, indexable: true } })
    const said = await mara.says(`a word like samovar${round}`)
    await silence(mara)
    const accounts = async (reader: Person, q: string) => idsOf((await reader.get(`/api/v2/search?type=accounts&q=${q}`)).body.accounts)
    const statuses = async (reader: Person) => idsOf((await reader.get(`/api/v2/search?type=statuses&q=samovar${round}`)).body.statuses)
    expect(await accounts(stranger, `tealeaf${round}`)).toEqual([])
    expect(await accounts(stranger, mara.username)).toEqual([mara.id])
    expect(await accounts(friend, `tealeaf${round}`)).toEqual([mara.id])
    expect([await statuses(stranger), await statuses(friend)]).toEqual([[], [said.id]])
    await silence(mara, false)
    expect(await accounts(stranger, `tealeaf${round}`)).toEqual([mara.id])
    expect(await statuses(stranger)).toEqual([said.id])
  })

  test('is asked for when following, and follows no one without consent', async () => {
    await silence(mara)
    expect(await mara.follows(stranger)).toMatchObject({ following: false, requested: true })
    expect(idsOf((await stranger.get('/api/v1/follow_requests')).body)).toEqual([mara.id])
    await stranger.post(`/api/v1/follow_requests/${mara.id}/authorize`)
    expect((await mara.get(`/api/v1/accounts/relationships?id[]=${stranger.id}`)).body).toMatchObject([{ following: true }])
    expect(await stranger.follows(mara)).toMatchObject({ following: true, requested: false })
  })

  test('follows no one who was not locked and saves a profile that says so, as apps do', async () => {
    await silence(mara)
    await mara.follows(stranger)
    const saved = await stranger.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'Tea', locked: false } })
    expect(saved.body).toMatchObject({ display_name: 'Tea', locked: false })
    await world.advance(0)
    expect(idsOf((await stranger.get('/api/v1/follow_requests')).body)).toEqual([mara.id])
    const followers = (await stranger.get(`/api/v1/accounts/${stranger.id}/followers`)).body
    expect(idsOf(followers)).toEqual([])
  })

  test('is on no public stream, neither with a post nor with an edit of an older one', async () => {
    const said = await mara.says(`tea #live${round}`)
    await world.idle()
    await silence(mara)
    const [everyone, tag, home] = await Promise.all([
      stranger.listens('public'),
      stranger.listens('hashtag', { tag: `live${round}` }),
      friend.listens('user'),
    ])
    const later = await mara.says(`more tea #live${round}`)
    await world.idle()
    await mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: `coffee #live${round}` } })
    const last = await stranger.says(`the end #live${round}`)
    await world.idle()
    for (const stream of [everyone, tag]) {
      await stream.hears(({ payload }) => JSON.parse(payload!).id === last.id)
      expect(stream.frames.map(({ payload }) => JSON.parse(payload!).id)).toEqual([last.id])
    }
    await home.hears(({ event }) => event === 'status.update')
    expect(home.frames.map(({ payload }) => JSON.parse(payload!).id)).toEqual([later.id, said.id])
    await Promise.all([everyone.close(), tag.close(), home.close()])
  })
})

test('what a silenced author of another server says under a followed tag is in homes and on streams of followers alone, until staff end it', async () => {
  const owner = await world.owner('owner')
  const ann = await strangerElsewhere(world, 'ann')
  const tag = 'birds'
  for (const person of [friend, stranger]) await person.post(`/api/v1/tags/${tag}/follow`)
  await following(world, friend, ann)
  // Has what ann says by boosts.
  await mara.follows(stranger)
  const act = (path: string, body?: object) => owner.post(`/api/v1/admin/accounts/${ann.id}/${path}`, body)
  expect((await act('action', { type: 'silence' })).status).toBe(200)
  await world.idle()
  const [one, other] = await Promise.all([stranger.listens('user'), friend.listens('user')])
  const { id } = await said(world, ann, 'a robin', { tags: [tag] })
  await world.idle()
  const last = await mara.says(`that is all #${tag}`)
  for (const stream of [one, other]) await stream.hears(({ payload }) => JSON.parse(payload!).id === last.id)
  expect([one, other].map(({ frames }) => frames.map(({ payload }) => JSON.parse(payload!).id))).toEqual([[last.id], [id, last.id]])
  expect(await homeIds(stranger)).toEqual([last.id])
  expect(await homeIds(friend)).toEqual([last.id, id])
  const boost = await stranger.reacts('reblog', { id })
  await world.idle()
  expect(await homeIds(mara)).toContain(boost.id)
  expect((await act('unsilence')).status).toBe(200)
  expect(await homeIds(friend)).toContain(id)
  const late = await world.person('late')
  await late.post(`/api/v1/tags/${tag}/follow`)
  await world.idle()
  expect(await homeIds(late)).toEqual([last.id, id])
  await Promise.all([one.close(), other.close()])
})

describe('a suspended person', () => {
  test('is blank, and then as before', async () => {
    await mara.asks('PATCH', '/api/v1/accounts/update_credentials', {
      body: { display_name: 'Mara', note: 'tea', fields_attributes: { 0: { name: 'a', value: 'b' } } },
    })
    const before = (await world.get(`/api/v1/accounts/${mara.id}`)).body
    await suspend(mara)
    const blank = (await world.get(`/api/v1/accounts/${mara.id}`)).body
    expect(blank).toMatchObject({
      id: mara.id,
      username: mara.username,
      suspended: true,
      display_name: '',
      note: '',
      fields: [],
      emojis: [],
    })
    expect([blank.avatar, blank.header]).toEqual([
      expect.stringMatching(/\/avatars\/original\/missing\.png$/),
      expect.stringMatching(/\/headers\/original\/missing\.png$/),
    ])
    await suspend(mara, false)
    expect((await world.get(`/api/v1/accounts/${mara.id}`)).body).toEqual(before)
  })

  test('is kept from the API, and closes their streams', async () => {
    const stream = await mara.listens('user')
    await suspend(mara)
    await world.idle()
    await stream.closed
    const answer = await mara.get('/api/v1/timelines/home')
    expect([answer.status, answer.body]).toEqual([403, { error: 'Your login is currently disabled' }])
    await suspend(mara, false)
    expect((await mara.get('/api/v1/timelines/home')).status).toBe(200)
  })

  test('leaves homes, boosts, lists of people and notifications, and comes back', async () => {
    const said = await mara.says(`@${friend.username} tea`)
    await friend.reacts('favourite', said)
    const boost = await stranger.reacts('reblog', said)
    await mara.follows(stranger)
    expect((await mara.post(`/api/v1/accounts/${stranger.id}/endorse`)).status).toBe(200)
    expect((await mara.post('/api/v1/featured_tags', { name: 'tea' })).status).toBe(200)
    const own = await friend.says('mine')
    await mara.reacts('favourite', own)
    await world.idle()
    const views = async () => ({
      home: idsOf(await friend.home()).includes(said.id),
      boost: (await world.get(`/api/v1/statuses/${boost.id}`)).status,
      followers: idsOf((await world.get(`/api/v1/accounts/${stranger.id}/followers`)).body),
      actors: idsOf((await world.get(`/api/v1/statuses/${own.id}/favourited_by`)).body),
      notified: (await friend.notifications()).map(({ type }) => type).sort(),
      favourites: idsOf((await friend.get('/api/v1/favourites')).body),
      ownFollowers: idsOf((await world.get(`/api/v1/accounts/${mara.id}/followers`)).body),
      ownEndorsed: idsOf((await world.get(`/api/v1/accounts/${mara.id}/endorsements`)).body),
      ownTags: (await world.get(`/api/v1/accounts/${mara.id}/featured_tags`)).body.map(({ name }: { name: string }) => name),
    })
    const before = await views()
    expect(before).toEqual({
      home: true,
      boost: 200,
      followers: [mara.id],
      actors: [mara.id],
      notified: ['favourite', 'mention'],
      favourites: [said.id],
      ownFollowers: [friend.id],
      ownEndorsed: [stranger.id],
      ownTags: ['tea'],
    })
    await suspend(mara)
    const none = { followers: [], actors: [], notified: [], favourites: [], ownFollowers: [], ownEndorsed: [], ownTags: [] }
    expect(await views()).toEqual({ home: false, boost: 404, ...none })
    await suspend(mara, false)
    await world.advance(0)
    expect(await views()).toEqual(before)
  })

  test('cannot be followed, mentioned or found', async () => {
    await suspend(mara)
    const answer = await stranger.post(`/api/v1/accounts/${mara.id}/follow`)
    expect([answer.status, answer.body]).toEqual([404, { error: 'Record not found' }])
    expect((await stranger.says(`@${mara.username} hello`)).mentions).toEqual([])
    for (const text of [mara.username, `${world.origin}/@${mara.username}`, `${world.origin}/users/${mara.username}`]) {
      const found = await stranger.get(`/api/v2/search?type=accounts&resolve=true&q=${encodeURIComponent(text)}`)
      expect([text, found.body.accounts]).toEqual([text, []])
    }
  })
})

test('a page costs no statement more for it', async () => {
  await silence(mara)
  for (const [path, statements] of [
    ['/api/v1/timelines/home', 2],
    ['/api/v1/timelines/public', 3],
  ] as const) {
    await friend.get(path)
    await friend.get(path)
    expect([path, world.lastRequest]).toEqual([path, { hops: 2, statements }])
  }
})
