import { callWithin } from '@rookery/rpc/call-within'
import { type Person, World } from '@rookery/test-world'
import { runJob } from '@rookery/test-world/queries'
import { remoteProfile, storeRemote } from '@rookery/test-world/remote-people'
import { faultsIn, flag, id, listOf, moment, nullable, object, text } from '@rookery/test-world/shape'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// The numbers of staff dashboards (beyond-the-spec 2.6), and decisions on tags.

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

const DAY = 86_400_000
const ELSEWHERE = 'elsewhere.example'

let world: World
let owner: Person
let mara: Person
let joel: Person
let remoteId: string

const read = async (what: string, body: object): Promise<Json> => {
  const answer = await owner.post(`/api/v1/admin/${what}`, body)
  expect({ status: answer.status, text: answer.status === 200 ? '' : answer.text }).toEqual({ status: 200, text: '' })
  return answer.body
}
const today = () => new Date(world.clock.now()).toISOString().slice(0, 10)
const daysAgo = (days: number) => new Date(world.clock.now() - days * DAY).toISOString().slice(0, 10)
const week = () => ({ start_at: daysAgo(6), end_at: today() })
const tagId = async (name: string): Promise<string> => (await owner.get(`/api/v1/tags/${name}`)).body.id

beforeAll(async () => {
  world = await World.open({ settings: { TRENDS_MIN_ACCOUNTS: '2' } })
  await world.advance(DAY - (world.clock.now() % DAY) + DAY / 2)
  owner = await world.owner('owner')
  ;({ mara, joel } = await world.cast('mara', 'joel'))
  remoteId = await storeRemote(world, remoteProfile('far', ELSEWHERE))
  await owner.post('/api/v1/reports', { account_id: remoteId })
  const said = await mara.says('#Tea', { visibility: 'public', language: 'de' })
  await joel.says('#tea', { visibility: 'public', language: 'en' })
  await joel.says('@mara yes', { in_reply_to_id: said.id, visibility: 'public' })
  await joel.reacts('reblog', said)
  await joel.reacts('favourite', said)
  const { id: report } = (await joel.post('/api/v1/reports', { account_id: mara.id })).body
  await owner.post(`/api/v1/admin/reports/${report}/resolve`)
  await world.idle()
  // Favourites are read once, and counted some minutes later.
  for (let times = 0; times < 3; times++) {
    await runJob(world, 'update-trends')
    await world.advance(6 * 60_000)
  }
})
afterAll(() => world.close())

describe('measures', () => {
  const measure = object(
    { key: text, unit: nullable(text), total: text, data: listOf(object({ date: moment, value: text })) },
    { previous_total: text, human_value: text },
  )

  test('of the server say each day of the range, the total, and that of as many days before', async () => {
    const keys = ['new_users', 'active_users', 'interactions', 'opened_reports', 'resolved_reports']
    const found = await read('measures', { keys, ...week() })
    expect(found.map(({ key }: Json) => key)).toEqual(keys)
    for (const each of found) {
      expect(faultsIn(each, measure)).toEqual([])
      expect(each.data).toHaveLength(7)
      expect(each.data[6]).toEqual({ date: `${today()}T00:00:00.000Z`, value: each.total })
    }
    const totals = Object.fromEntries(found.map(({ key, total, previous_total }: Json) => [key, [total, previous_total]]))
    expect(totals).toEqual({
      new_users: ['3', '0'],
      active_users: ['3', '0'],
      // A favourite, a boost and a reply.
      interactions: ['3', '0'],
      opened_reports: ['2', '0'],
      resolved_reports: ['1', '0'],
    })
  })

  test('of before the range are its previous total', async () => {
    const before = { start_at: daysAgo(-2), end_at: daysAgo(-1) }
    expect((await owner.post('/api/v1/admin/measures', { keys: ['new_users'], ...before })).body.error).toBe(
      'Validation failed: Start at must be before end at',
    )
    const [found] = await read('measures', { keys: ['new_users'], start_at: daysAgo(-1), end_at: daysAgo(-1) })
    expect(found).toMatchObject({ total: '0', previous_total: '3' })
  })

  test('of a tag count its uses, who used it and on how many servers', async () => {
    const id = await tagId('tea')
    const of = { tag_uses: { id }, tag_accounts: { id }, tag_servers: { id } }
    const found = await read('measures', { keys: Object.keys(of), ...of, ...week() })
    expect(found.map(({ key, total, previous_total }: Json) => [key, total, previous_total])).toEqual([
      ['tag_uses', '2', '0'],
      ['tag_accounts', '2', '0'],
      ['tag_servers', '1', '0'],
    ])
  })

  test('of another server are of all time', async () => {
    const keys = ['accounts', 'statuses', 'follows', 'followers', 'reports', 'media_attachments'].map((key) => `instance_${key}`)
    const of = Object.fromEntries(keys.map((key) => [key, { domain: ELSEWHERE }]))
    const found = await read('measures', { keys, ...of, ...week() })
    expect(found.map(({ key, total }: Json) => [key, total])).toEqual([
      ['instance_accounts', '1'],
      ['instance_statuses', '0'],
      ['instance_follows', '0'],
      ['instance_followers', '0'],
      ['instance_reports', '1'],
      ['instance_media_attachments', '0'],
    ])
    expect(found.every((each: Json) => !('previous_total' in each))).toBe(true)
    expect(found.at(-1)).toMatchObject({ unit: 'bytes', human_value: '0 Bytes' })
  })

  test('that are no measures, and of a tag that can be none, are left out', async () => {
    expect(await read('measures', { keys: ['tea', 'constructor', 'tag_uses', 'new_users'], tag_uses: { id: 'x' } })).toMatchObject([
      { key: 'new_users' },
    ])
    expect(await read('measures', {})).toEqual([])
  })

  test.each([['start_at'], ['end_at']])('are refused for %s that is no date', async (name) => {
    const answer = await owner.post('/api/v1/admin/measures', { keys: ['new_users'], [name]: 'soon' })
    expect([answer.status, answer.body.error]).toEqual([
      422,
      `Validation failed: ${name === 'start_at' ? 'Start' : 'End'} at is not a valid date`,
    ])
  })

  test('have a year at most', async () => {
    const [found] = await read('measures', { keys: ['new_users'], start_at: '1970-01-01', end_at: today() })
    expect(found.data).toHaveLength(366)
  })
})

describe('dimensions', () => {
  test('say what makes up a number, the largest part first', async () => {
    const id = await tagId('tea')
    const host = new URL(world.origin).host
    const of = {
      tag_servers: { id },
      tag_languages: { id },
      instance_accounts: { domain: ELSEWHERE },
      instance_languages: { domain: ELSEWHERE },
    }
    const keys = ['languages', 'sources', 'servers', ...Object.keys(of)]
    const found = await read('dimensions', { keys, ...of, ...week() })
    expect(found).toEqual([
      { key: 'languages', data: [{ key: 'en', human_key: 'English', value: '3' }] },
      { key: 'sources', data: [{ key: 'web', human_key: 'Website', value: '3' }] },
      { key: 'servers', data: [{ key: host, human_key: host, value: '4' }] },
      { key: 'tag_servers', data: [{ key: host, human_key: host, value: '2' }] },
      {
        key: 'tag_languages',
        data: [
          { key: 'de', human_key: 'German', value: '1' },
          { key: 'en', human_key: 'English', value: '1' },
        ],
      },
      { key: 'instance_accounts', data: [{ key: 'far', human_key: 'far', value: '0' }] },
      { key: 'instance_languages', data: [] },
    ])
  })

  test('name the apps with which people signed up, those of one name once', async () => {
    const server = await World.open({ settings: { REGISTRATIONS: 'open' } })
    const signUpWith = async (client: string, ...names: string[]) => {
      const app = { client_name: client, redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', scopes: 'write' }
      const { client_id, client_secret } = (await server.asks('POST', '/api/v1/apps', { body: app })).body
      const grant = { grant_type: 'client_credentials', client_id, client_secret, scope: 'write' }
      const token = (await server.asks('POST', '/oauth/token', { body: grant })).body.access_token
      for (const username of names) {
        const newcomer = { username, email: `${username}@example.org`, password: 'a long password', agreement: true, locale: 'en' }
        expect((await server.asks('POST', '/api/v1/accounts', { token, body: newcomer })).status).toBe(200)
      }
    }
    const staff = await server.owner('staff')
    await signUpWith('Tusky', 'lena', 'olga')
    await signUpWith('Elk', 'petra')
    await signUpWith('Tusky', 'quin')
    const day = new Date(server.clock.now()).toISOString().slice(0, 10)
    const { body } = await staff.post('/api/v1/admin/dimensions', { keys: ['sources'], start_at: day, end_at: day })
    expect(body[0].data).toEqual([
      { key: 'Tusky', human_key: 'Tusky', value: '3' },
      { key: 'web', human_key: 'Website', value: '1' },
      { key: 'Elk', human_key: 'Elk', value: '1' },
    ])
    await server.close()
  })

  test('have as many rows as asked for', async () => {
    const of = { tag_languages: { id: await tagId('tea') } }
    const [found] = await read('dimensions', { keys: ['tag_languages'], ...of, ...week(), limit: 1 })
    expect(found.data).toHaveLength(1)
  })

  test('of the machine say what is stored and what runs', async () => {
    const [space, software] = await read('dimensions', { keys: ['space_usage', 'software_versions'] })
    expect(space.data.map(({ key, unit }: Json) => [key, unit])).toEqual([
      ['postgresql', 'bytes'],
      ['media', 'bytes'],
    ])
    expect(Number(space.data[0].value)).toBeGreaterThan(100_000)
    expect(space.data[0].human_value).toMatch(/^[\d.]+ (KB|MB|GB)$/)
    expect(Number(space.data[1].value)).toBe(0)
    expect(software.data.map(({ key }: Json) => key)).toEqual(['rookery', 'node', 'postgresql'])
    expect(software.data[2].value).toMatch(/^\d+\.\d+/)
  })
})

describe('retention', () => {
  test('says by day how many of those who signed up came back', async () => {
    const cohorts = await read('retention', { start_at: daysAgo(1), end_at: today(), frequency: 'day' })
    expect(cohorts).toEqual([
      {
        period: `${daysAgo(1)}T00:00:00.000Z`,
        frequency: 'day',
        data: [
          { date: `${daysAgo(1)}T00:00:00.000Z`, rate: 0, value: '0' },
          { date: `${today()}T00:00:00.000Z`, rate: 0, value: '0' },
        ],
      },
      { period: `${today()}T00:00:00.000Z`, frequency: 'day', data: [{ date: `${today()}T00:00:00.000Z`, rate: 1, value: '3' }] },
    ])
  })

  test('says it by month', async () => {
    const cohorts = await read('retention', { start_at: today(), end_at: today(), frequency: 'month' })
    const month = `${today().slice(0, 7)}-01T00:00:00.000Z`
    expect(cohorts).toEqual([{ period: month, frequency: 'month', data: [{ date: month, rate: 1, value: '3' }] }])
  })

  test('is refused for another frequency', async () =>
    expect((await owner.post('/api/v1/admin/retention', { frequency: 'year' })).status).toBe(422))
})

describe('a tag', () => {
  const adminTag = object({
    id,
    name: text,
    url: text,
    history: listOf(object({ day: text, uses: text, accounts: text })),
    following: flag,
    featuring: flag,
    trendable: flag,
    usable: flag,
    listable: flag,
    requires_review: flag,
  })
  const change = (id: string, body: object) => owner.asks('PUT', `/api/v1/admin/tags/${id}`, { body })
  const found = async (q: string): Promise<string[]> =>
    (await mara.get(`/api/v2/search?type=hashtags&q=${q}`)).body.hashtags.map(({ name }: Json) => name)
  const trending = async (): Promise<string[]> => (await world.get('/api/v1/trends/tags')).body.map(({ name }: Json) => name)

  test('is on the list of all, latest first, page by page, and read by its id', async () => {
    await mara.says('#earlier #later', { visibility: 'public' })
    const [first, second] = (await owner.get('/api/v1/admin/tags?limit=2')).body
    expect([first.name, second.name].sort()).toEqual(['earlier', 'later'])
    expect(faultsIn(first, adminTag)).toEqual([])
    const [next] = (await owner.get(`/api/v1/admin/tags?limit=1&max_id=${second.id}`)).body
    expect((await owner.get(`/api/v1/admin/tags/${next.id}`)).body).toEqual(next)
    expect((await owner.get('/api/v1/admin/tags/987654321')).status).toBe(404)
  })

  test('that is not listable is neither found nor among trends, until it is again', async () => {
    for (const person of [mara, joel]) await person.says('#coffee', { visibility: 'public' })
    await runJob(world, 'update-trends')
    const id = await tagId('coffee')
    expect([await found('coff'), (await trending()).includes('coffee')]).toEqual([['coffee'], true])
    expect((await change(id, { listable: false })).body).toMatchObject({ listable: false, usable: true })
    expect([await found('coff'), (await trending()).includes('coffee')]).toEqual([[], false])
    expect((await owner.get('/api/v1/admin/trends/tags')).body.map(({ name }: Json) => name)).toContain('coffee')
    await change(id, { listable: true })
    expect([await found('coff'), (await trending()).includes('coffee')]).toEqual([['coffee'], true])
  })

  test('that is not trendable does not trend', async () => {
    for (const person of [mara, joel]) await person.says('#cocoa', { visibility: 'public' })
    await runJob(world, 'update-trends')
    const id = await tagId('cocoa')
    expect(await trending()).toContain('cocoa')
    expect((await change(id, { trendable: false })).body).toMatchObject({ trendable: false, listable: true })
    expect(await trending()).not.toContain('cocoa')
  })

  test('that is not usable stays plain text in new posts and edits; what carries it already keeps it', async () => {
    const old = await mara.says('#spam here', { visibility: 'public' })
    const id = await tagId('spam')
    expect((await change(id, { usable: false })).body).toMatchObject({ usable: false })
    const said = await mara.says('#Spam and #tea', { visibility: 'public' })
    expect(said.tags.map(({ name }: Json) => name)).toEqual(['tea'])
    expect(said.content).toContain('#Spam and <a')
    const edited = await mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: 'only #spam' } })
    expect([edited.body.tags, edited.body.content]).toEqual([[], '<p>only #spam</p>'])
    expect((await mara.get(`/api/v1/statuses/${old.id}`)).body.tags).toHaveLength(1)
    await change(id, { usable: true })
    expect((await mara.says('#spam', { visibility: 'public' })).tags).toHaveLength(1)
  })

  test('gets another spelling of its name, and no other name', async () => {
    const id = await tagId('tea')
    expect((await change(id, { display_name: 'TEA' })).body.name).toBe('TEA')
    const refused = await change(id, { display_name: 'coffee' })
    expect([refused.status, refused.body.error]).toEqual([422, 'Validation failed: Display name does not match the previous name'])
  })

  test('leaves what was decided in the log', async () => {
    await world.idle()
    const acts = (await world.operator().listActs(callWithin(30, 't'), {})).acts
    expect(acts).toContainEqual(expect.objectContaining({ action: 'change_tag', target: '#spam', text: 'usable: no', staffId: owner.id }))
  })
})
