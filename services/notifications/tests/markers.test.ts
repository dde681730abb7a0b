import { type Answer, type Person, World } from '@rookery/test-world'
import { holding, query, untilSomeoneWaits } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let world: World
let cast = 0
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

/** A person without markers. */
const newPerson = () => world.person(`mara${++cast}`)

const gist = ({ status, body }: Answer) => [status, body.error ?? body]
const marks = (person: Person, markers: Record<string, unknown>) => person.post('/api/v1/markers', markers)
const read = async (person: Person, ...timelines: string[]): Promise<Json> =>
  (await person.get(`/api/v1/markers?${timelines.map((timeline) => `timeline[]=${timeline}`).join('&')}`)).body

describe('a marker', () => {
  test('says how far its owner has read, and counts its changes', async () => {
    const [mara, joel] = [await newPerson(), await newPerson()]
    const before = new Date(world.clock.now()).toISOString()
    const first = await marks(mara, { home: { last_read_id: '103194548672408537' } })
    expect(gist(first)).toEqual([200, { home: { last_read_id: '103194548672408537', version: 1, updated_at: expect.any(String) } }])
    const at = first.body.home.updated_at
    expect([before, at, new Date(world.clock.now()).toISOString()].toSorted()[1]).toBe(at)
    expect(await read(mara, 'home', 'notifications')).toEqual(first.body)
    expect(await read(mara, 'notifications')).toEqual({})
    expect(await read(joel, 'home')).toEqual({})
    await world.advance(1000)
    const both = await marks(mara, { home: { last_read_id: '103194548672408600' }, notifications: { last_read_id: 7 } })
    expect(both.body).toEqual({
      home: { last_read_id: '103194548672408600', version: 2, updated_at: expect.any(String) },
      notifications: { last_read_id: '7', version: 1, updated_at: both.body.home.updated_at },
    })
    expect(both.body.home.updated_at > at).toBe(true)
    expect(await read(mara, 'home', 'notifications')).toEqual(both.body)
    await world.advance(1000)
    expect((await marks(mara, { home: { last_read_id: '103194548672408600' } })).body).toEqual({ home: both.body.home })
    expect((await marks(mara, { home: { last_read_id: '5' } })).body.home).toMatchObject({ last_read_id: '5', version: 3 })
  })

  test('is written by a form as well, and asked for by one bare name', async () => {
    const mara = await newPerson()
    const body = new URLSearchParams({ 'home[last_read_id]': '11', 'notifications[last_read_id]': '12' })
    const written = await mara.asks('POST', '/api/v1/markers', { body })
    expect(written.body).toMatchObject({ home: { last_read_id: '11' }, notifications: { last_read_id: '12' } })
    expect((await mara.get('/api/v1/markers?timeline=notifications')).body).toEqual({ notifications: written.body.notifications })
  })

  test('is nothing when nothing is asked for, or what no one marks', async () => {
    const mara = await newPerson()
    expect(gist(await mara.get('/api/v1/markers'))).toEqual([200, {}])
    expect(await read(mara, 'public', 'home')).toEqual({})
    expect(gist(await marks(mara, {}))).toEqual([200, {}])
    expect(gist(await marks(mara, { public: { last_read_id: '1' }, home: {} }))).toEqual([200, {}])
    expect(await read(mara, 'public', 'home')).toEqual({})
  })

  test.each(['tea', '-1', '9223372036854775808', 1e30])('is refused at %j, and nothing is written', async (id) => {
    const mara = await newPerson()
    const answer = await marks(mara, { home: { last_read_id: '5' }, notifications: { last_read_id: id } })
    expect(gist(answer)).toEqual([422, 'Validation failed: notifications[last_read_id] is not a valid id'])
    expect(await read(mara, 'home', 'notifications')).toEqual({})
  })

  test('that another write changed meanwhile is refused, and nothing is written', async () => {
    const mara = await newPerson()
    await marks(mara, { notifications: { last_read_id: '5' } })
    const other = await holding(world)
    await other.query(`update notifications.marker set last_read_id = 6, version = version + 1 where account_id = $1`, [mara.id])
    const late = marks(mara, { home: { last_read_id: '1' }, notifications: { last_read_id: '7' } })
    await untilSomeoneWaits(world, 'notifications')
    await other.end()
    expect(gist(await late)).toEqual([409, 'Conflict during update, please try again'])
    expect(await read(mara, 'home', 'notifications')).toMatchObject({ notifications: { last_read_id: '6', version: 2 } })
    expect(await read(mara, 'home')).toEqual({})
  })

  test('written twenty times at once is changed by those that were not refused', async () => {
    const mara = await newPerson()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        marks(mara, { home: { last_read_id: `${index + 1}` }, notifications: { last_read_id: `${index + 1}` } }),
      ),
    )
    const kept = answers.filter(({ status }) => status === 200)
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    const { home, notifications } = await read(mara, 'home', 'notifications')
    expect([home.version, notifications.version]).toEqual([kept.length, kept.length])
    expect(kept.map(({ body }) => body.home.version).sort((a, b) => a - b)).toEqual(kept.map((_, index) => index + 1))
  })
})

describe('the stream of markers', () => {
  test('tells the owner’s other clients, and no one who did not ask for it', async () => {
    const [mara, joel] = [await newPerson(), await newPerson()]
    const [stream, user, other] = await Promise.all([mara.listens('user:markers'), mara.listens('user'), joel.listens('user:markers')])
    const { body: first } = await marks(mara, { home: { last_read_id: '5' } })
    const { body: second } = await marks(mara, { home: { last_read_id: '5' }, notifications: { last_read_id: '6' } })
    const heard = await stream.hears(({ payload }) => 'notifications' in JSON.parse(payload ?? '{}'))
    expect(heard).toMatchObject({ stream: ['user:markers'], event: 'marker' })
    expect(stream.frames.map(({ payload }) => JSON.parse(payload ?? ''))).toEqual([first, { notifications: second.notifications }])
    const said = await mara.says('hello')
    await user.hears(({ payload }) => payload?.includes(said.id) ?? false)
    await marks(joel, { home: { last_read_id: '5' } })
    await other.hears(({ event }) => event === 'marker')
    expect(user.frames.map(({ event }) => event)).toEqual(['update'])
    expect([stream.frames.length, other.frames.length]).toEqual([2, 1])
    await Promise.all([stream.close(), user.close(), other.close()])
  })

  test('is there as an event stream too', async () => {
    const mara = await newPerson()
    const leaving = new AbortController()
    const headers = { authorization: `Bearer ${mara.token}` }
    const response = await fetch(`${world.origin}/api/v1/streaming/user/markers`, { headers, signal: leaving.signal })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const { body } = await marks(mara, { notifications: { last_read_id: '5' } })
    let heard = ''
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      heard += part
      if (heard.includes('\n\n')) break
    }
    leaving.abort()
    expect(heard.replace(/^id: .+\n/m, '')).toBe(`:)\nevent: marker\ndata: ${JSON.stringify(body)}\n\n`)
  })
})

describe('unread notifications', () => {
  test('are those after the marker, of the types and from the account asked for', async () => {
    const [mara, joel, ines] = [await newPerson(), await newPerson(), await newPerson()]
    const count = async (parameters = '') => (await mara.get(`/api/v1/notifications/unread_count${parameters}`)).body
    expect(await count()).toEqual({ count: 0 })
    const said = await mara.says('tea is ready')
    await joel.follows(mara)
    await joel.reacts('favourite', said)
    await ines.reacts('favourite', said)
    await world.idle()
    expect(await count()).toEqual({ count: 3 })
    expect(await count('?limit=2')).toEqual({ count: 2 })
    expect(await count('?limit=0')).toEqual({ count: 0 })
    expect(await count('?types[]=favourite')).toEqual({ count: 2 })
    expect(await count('?exclude_types[]=favourite')).toEqual({ count: 1 })
    expect(await count('?types[]=unheard-of')).toEqual({ count: 0 })
    expect(await count(`?account_id=${joel.id}`)).toEqual({ count: 2 })
    expect(world.lastRequest).toEqual({ hops: 3, statements: 4 })
    const [, second] = await mara.notifications()
    await marks(mara, { notifications: { last_read_id: second.id } })
    expect(await count()).toEqual({ count: 1 })
    await marks(mara, { home: { last_read_id: '9223372036854775807' } })
    expect(await count()).toEqual({ count: 1 })
    await ines.reacts('favourite', await mara.says('and cake'))
    await world.idle()
    expect(await count()).toEqual({ count: 2 })
  })

  test('are those the list shows: none whose account or status is hidden from the reader', async () => {
    const [mara, joel, ines] = [await newPerson(), await newPerson(), await newPerson()]
    const said = await mara.says('tea is ready')
    const answer = await joel.says(`@${mara.username} is it?`)
    await joel.reacts('favourite', said)
    await ines.reacts('favourite', said)
    await world.idle()
    const counts = async () => [(await mara.get('/api/v1/notifications/unread_count')).body.count, (await mara.notifications()).length]
    expect(await counts()).toEqual([3, 3])
    const suspend = (is: boolean) => query(world, 'update statuses.account set is_suspended = $2 where id = $1', [joel.id, is])
    await suspend(true)
    expect(await counts()).toEqual([1, 1])
    await suspend(false)
    expect(await counts()).toEqual([3, 3])
    expect((await joel.asks('DELETE', `/api/v1/statuses/${answer.id}`)).status).toBe(200)
    expect(await counts()).toEqual([2, 2])
  })

  test('are counted to a hundred unless more are asked for', async () => {
    const [mara, joel] = [await newPerson(), await newPerson()]
    await query(
      world,
      `insert into notifications.notification (recipient_id, type, actor_id, status_id, created_at)
       select $1, 'favourite' || n, $2, null, now() from generate_series(1, 1100) n`,
      [mara.id, joel.id],
    )
    const count = async (parameters: string) => (await mara.get(`/api/v1/notifications/unread_count${parameters}`)).body.count
    expect([await count(''), await count('?limit=500'), await count('?limit=5000')]).toEqual([100, 500, 1000])
  })
})

test('preferences say what new posts begin with', async () => {
  const mara = await newPerson()
  const preferences = async () => (await mara.get('/api/v1/preferences')).body
  expect(await preferences()).toEqual({
    'posting:default:visibility': 'public',
    'posting:default:sensitive': false,
    'posting:default:language': null,
    'posting:default:quote_policy': 'public',
    'reading:expand:media': 'default',
    'reading:expand:spoilers': false,
    'reading:autoplay:gifs': false,
  })
  const source = { privacy: 'unlisted', sensitive: true, language: 'de' }
  await mara.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { source } })
  expect(await preferences()).toMatchObject({
    'posting:default:visibility': 'unlisted',
    'posting:default:sensitive': true,
    'posting:default:language': 'de',
  })
})
