import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { endpoints } from '@rookery/gateway'
import { type Answer, ask, type Person, World } from '@rookery/test-world'
import { query } from '@rookery/test-world/queries'
import { multipart, send } from '@rookery/test-world/raw-request'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Cast } from './owned-records.ts'
import { requestOf } from './tour.ts'

// Repeated requests with an Idempotency-Key, for everything that creates or changes something
// (docs/decisions/0027-the-same-request-twice.md). Statuses handle theirs by the contract: statuses.test.ts.

const HOUR = 3_600_000
const DIFFERENT = { error: 'Idempotency-Key has already been used for a request with other parameters' }

let world: World
let cast: Cast
let owner: Person
let other: Person
let appToken: string
let profileToken: string
let app: { client_id: string; client_secret: string }
beforeAll(async () => {
  world = await World.open()
  const people = await world.cast('owner', 'other', 'friend')
  ;({ owner, other } = people)
  cast = { world, ...people, staff: await world.owner('staff') }
  for (const person of [owner, other]) await person.follows(people.friend)
  profileToken = (await world.person('profiled', { scopes: 'profile' })).token
  const registered = await world.asks('POST', '/api/v1/apps', {
    body: { client_name: 'Tea', redirect_uris: 'tea://done', scopes: 'read write' },
  })
  app = registered.body
  const order = { grant_type: 'client_credentials', ...app, scope: 'read write', redirect_uri: 'tea://done' }
  appToken = (await world.asks('POST', '/oauth/token', { body: order })).body.access_token
})
afterAll(() => world.close())

let last = 0
const newKey = () => ({ 'idempotency-key': `key ${++last}` })

/** The parts of an answer that must be equal: all except ids of requests, times and rate limits. */
const sameOf = ({ status, text, headers }: Answer) => {
  const own = [...headers].filter(([name]) => !/^(x-request-id|x-ratelimit-.*|date|connection|keep-alive)$/.test(name))
  return { status, text, headers: Object.fromEntries(own) }
}

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const RED = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==', 'base64')
const picture = (bytes = PNG) => {
  const form = new FormData()
  form.set('file', new File([bytes], 'a.png', { type: 'image/png' }))
  return form
}

const newcomer = (username: string) => ({
  username,
  email: `${username}@example.org`,
  password: 'a password',
  agreement: true,
  locale: 'en',
})
const DEVICE = {
  subscription: {
    endpoint: 'https://push.example/1',
    keys: {
      p256dh: 'BEm_a0bdPDhf0SOsrnB2-ategf1hHoCnpXgQsFj5JCkcoMrMt2WHoPfEYOYPzOIs9mZE8ZUaD7VA5vouy0kEkr8',
      auth: '8eDyX_uCN0XRhSbY5hs7Hg',
    },
  },
}

/** The caller and body of requests that differ from those of the tour of all endpoints. */
const OWN: Readonly<Record<string, () => { token?: string; body: unknown }>> = {
  'POST /api/v1/accounts': () => ({ token: appToken, body: newcomer(`newcomer_${++last}`) }),
  'POST /api/v1/media': () => ({ token: owner.token, body: picture() }),
  'POST /api/v2/media': () => ({ token: owner.token, body: picture() }),
  'POST /api/v1/push/subscription': () => ({ token: owner.token, body: DEVICE }),
  'POST /oauth/userinfo': () => ({ token: profileToken, body: {} }),
  'PUT /api/v1/push/subscription': () => ({ token: owner.token, body: { data: { policy: 'followed' } } }),
}

/** As if a process died after everything but storing its answer, and its reservations expired. */
const loseAnswers = () => query(world, "update auth.idempotent_request set answer = null, reserved_until = '-infinity'")

/** Replaces secrets that differ. */
const withoutSecrets = (text: string) =>
  text.replace(/"(client_secret|access_token)":"[^"]+"/g, '"$1":"…"').replace(/("access_token".*"created_at":)\d+/, '$1…')

/** The status of a request that runs again although it was done, if it differs from the first: what it removed is gone. */
const RERUN: Readonly<Record<string, number>> = {
  'DELETE /api/v1/admin/domain_allows/:id': 404,
  'DELETE /api/v1/admin/domain_blocks/:id': 404,
  'DELETE /api/v1/announcements/:id/reactions/:name': 404,
  'DELETE /api/v1/conversations/:id': 404,
  'DELETE /api/v1/notifications/:id': 404,
  'DELETE /api/v1/statuses/:id': 404,
  // The used disk space changes by itself.
  'POST /api/v1/admin/dimensions': 200,
  // The error names the existing block.
  'POST /api/v1/admin/domain_blocks': 422,
  'POST /api/v1/notifications/:id/dismiss': 404,
  'POST /api/v1/notifications/requests/:id/accept': 404,
  'POST /api/v1/notifications/requests/:id/dismiss': 404,
  'POST /api/v2/notifications/:group_key/dismiss': 404,
  // The subscription is replaced by an equal one with another id.
  'POST /api/v1/push/subscription': 200,
}

const writing = endpoints.filter(({ method, path }) => method !== 'GET' && !(method === 'POST' && path === '/api/v1/statuses'))
/** Requests that fail here: there is no translation, mail or subscription, and the account is neither pending nor suspended. */
const FAILING = [
  'POST /api/v1/statuses/:id/translate',
  'POST /api/v1/emails/confirmations',
  'PUT /api/v1/push/subscription',
  'POST /api/v1/admin/accounts/:id/approve',
  'POST /api/v1/admin/accounts/:id/reject',
  'POST /api/v1/annual_reports/:year/generate',
  'POST /api/v1/annual_reports/:year/read',
  'DELETE /api/v1/admin/accounts/:id',
]

describe.each(writing.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))('%s', (name, endpoint) => {
  test('again with its key gets the first answer, also when that was lost after its effect; with other parameters 422', async () => {
    const { address, body: usual } = await requestOf(cast, endpoint)
    const asker = endpoint.access.kind === 'staff' ? cast.staff : owner
    const { token = asker.token, body } = OWN[name]?.() ?? { body: usual }
    const asks = (headers: Record<string, string>, more = '') =>
      world.asks(endpoint.method, `${address}${more}`, { token, body: body ?? usual, headers })
    const key = newKey()
    const first = await asks(key)
    if (!FAILING.includes(name)) expect(first.status, first.text).toBeLessThan(300)
    expect(sameOf(await asks(key))).toEqual(sameOf(first))
    expect((await asks(key, '?more=1')).body).toEqual(DIFFERENT)
    expect(sameOf(await asks(key))).toEqual(sameOf(first))
    await loseAnswers()
    const rerun = sameOf(await asks(key))
    expect({ ...rerun, text: withoutSecrets(rerun.text) }).toEqual(
      name in RERUN ? expect.objectContaining({ status: RERUN[name] }) : { ...sameOf(first), text: withoutSecrets(first.text) },
    )
  })
})

describe('a key', () => {
  const listsOf = async (person: Person) => (await person.get('/api/v1/lists')).body.map(({ title }: { title: string }) => title)

  test.each<[string, () => Promise<Answer[]>]>([
    [
      'of another token',
      async () =>
        Promise.all([
          owner.post('/api/v1/lists', { title: 'a' }, { 'idempotency-key': 'shared' }),
          other.post('/api/v1/lists', { title: 'b' }, { 'idempotency-key': 'shared' }),
        ]),
    ],
    [
      'of another route',
      async () =>
        Promise.all([
          owner.post('/api/v1/lists', { title: 'a' }, { 'idempotency-key': 'routes' }),
          owner.post('/api/v1/featured_tags', { name: 'routes' }, { 'idempotency-key': 'routes' }),
        ]),
    ],
    [
      'that differs at its end',
      async () =>
        Promise.all(
          ['1', '2'].map((end) => owner.post('/api/v1/lists', { title: end }, { 'idempotency-key': `${'k'.repeat(255)}${end}` })),
        ),
    ],
    ['that is empty', async () => Promise.all([1, 2].map(() => owner.post('/api/v1/lists', { title: 'a' }, { 'idempotency-key': '' })))],
  ])('%s is another', async (_case, act) => {
    const answers = await act()
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(2)
  })

  test('fifty times at once makes one of each, and gives all the same answer', async () => {
    const { maker } = await world.cast('maker')
    for (const [path, body] of [
      ['/api/v1/lists', { title: 'once' }],
      ['/api/v2/filters', { title: 'once', context: ['home'], keywords_attributes: [{ keyword: 'once' }] }],
      ['/api/v1/reports', { account_id: owner.id }],
    ] as const) {
      const key = newKey()
      const answers = await Promise.all(Array.from({ length: 50 }, () => maker.post(path, body, key)))
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, path).toBe(1)
    }
    expect(await listsOf(maker)).toEqual(['once'])
    expect((await maker.get('/api/v2/filters')).body).toHaveLength(1)
    expect(await query(world, 'select id from statuses.report where account_id = $1', [maker.id])).toHaveLength(1)
  })

  test('fifty times at once uploads one file', async () => {
    const { uploader } = await world.cast('uploader')
    const key = newKey()
    const answers = await Promise.all(Array.from({ length: 50 }, () => uploader.post('/api/v2/media', picture(), key)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(await query(world, 'select id from media.attachment where owner_id = $1', [uploader.id])).toHaveLength(1)
  })

  test('stands for parameters and files, regardless of their order, their spelling as a form and the boundary between them', async () => {
    type Part = Parameters<typeof multipart>[0][number]
    const parts: Part[] = [
      { name: 'file', value: PNG, file: 'a.png', type: 'image/png' },
      { name: 'description', value: 'a dot' },
    ]
    const uploads = (sent: readonly Part[]) =>
      send(world.origin, {
        method: 'POST',
        path: '/api/v2/media',
        token: owner.token,
        ...multipart(sent),
        headers: { ...multipart(sent).headers, 'idempotency-key': 'parts' },
      })
    const first = await uploads(parts)
    expect(first.status).toBe(200)
    expect((await uploads(parts.toReversed())).text).toBe(first.text)
    expect((await uploads([{ ...parts[0]!, value: RED }, parts[1]!])).body).toEqual(DIFFERENT)
    expect((await uploads([parts[0]!, { ...parts[1]!, value: 'a red dot' }])).body).toEqual(DIFFERENT)
    const form = new FormData()
    form.set('description', 'a dot')
    form.set('file', new File([PNG], 'a.png', { type: 'image/png' }))
    expect((await owner.post('/api/v2/media', form, { 'idempotency-key': 'parts' })).text).toBe(first.text)
  })

  test('is no other when the token comes as a parameter', async () => {
    const key = newKey()
    const first = await owner.post('/api/v1/lists', { title: 'parameter' }, key)
    const again = await world.asks('POST', `/api/v1/lists?access_token=${owner.token}`, { body: { title: 'parameter' }, headers: key })
    expect(again.text).toBe(first.text)
  })

  test('of an app that registers without a token counts for its address', async () => {
    const key = newKey()
    const registers = (client_name: string) =>
      world.asks('POST', '/api/v1/apps', { body: { client_name, redirect_uris: 'tea://done' }, headers: key })
    const first = await registers('Coffee')
    expect((await registers('Coffee')).text).toBe(first.text)
    expect(await registers('Cocoa')).toMatchObject({ status: 422, body: DIFFERENT })
    expect(first.body.client_secret).toMatch(/^.{43}$/)
  })

  test('keeps refusals of the request', async () => {
    const { asker } = await world.cast('asker')
    const key = newKey()
    const gone = await asker.asks('DELETE', '/api/v1/lists/99999', { headers: key })
    expect(gone.status).toBe(404)
    expect(sameOf(await asker.asks('DELETE', '/api/v1/lists/99999', { headers: key }))).toEqual(sameOf(gone))
    const blank = newKey()
    expect((await asker.post('/api/v1/lists', { title: '' }, blank)).status).toBe(422)
    expect((await asker.post('/api/v1/lists', { title: 'filled in' }, blank)).body).toEqual(DIFFERENT)
  })

  test('keeps no answer to what its token may not do', async () => {
    const reader = await world.person('reader', { scopes: 'read' })
    const key = newKey()
    expect((await reader.post('/api/v1/lists', { title: 'x' }, key)).status).toBe(403)
    expect(await query(world, 'select 1 from auth.idempotent_request where created_at > now() and answer is null')).toEqual([])
  })

  test('keeps no answer that a fault of the server gave: the request runs again', async () => {
    const { unlucky } = await world.cast('unlucky')
    const key = newKey()
    const creates = () => unlucky.post('/api/v1/lists', { title: 'in the end' }, key)
    await query(world, 'alter table statuses.list rename to list_elsewhere')
    const failed = await creates()
    await query(world, 'alter table statuses.list_elsewhere rename to list')
    expect(failed.status).toBe(500)
    const [created, again] = [await creates(), await creates()]
    expect(created.status).toBe(200)
    expect(sameOf(again)).toEqual(sameOf(created))
    expect(await listsOf(unlucky)).toEqual(['in the end'])
  })

  test('keeps no answer above 256 KiB: the request runs again', async () => {
    const { staff } = cast
    const { id } = (await staff.post('/api/v1/admin/domain_blocks', { domain: 'wordy.example' })).body
    const key = newKey()
    const says = (private_comment: string) =>
      staff.asks('PUT', `/api/v1/admin/domain_blocks/${id}`, { body: { private_comment }, headers: key })
    const long = 'x'.repeat(256 * 1024)
    const said = await says(long)
    expect([said.status, said.body.private_comment]).toEqual([200, long])
    const [kept] = await query(world, 'select max(length(answer)) bytes from auth.idempotent_request')
    expect(kept.bytes).toBeLessThan(256 * 1024)
    expect(sameOf(await says(long))).toEqual(sameOf(said))
    expect((await says('short')).body).toEqual(DIFFERENT)
  })

  test('is forgotten after an hour, whether or not the job came round', async () => {
    const { keeper } = await world.cast('keeper')
    const key = newKey()
    const first = await keeper.post('/api/v1/lists', { title: 'hourly' }, key)
    world.clock.advance(HOUR - 60_000)
    expect((await keeper.post('/api/v1/lists', { title: 'hourly' }, key)).text).toBe(first.text)
    world.clock.advance(2 * 60_000)
    const second = await keeper.post('/api/v1/lists', { title: 'hourly' }, key)
    expect(second.body.id).not.toBe(first.body.id)
    world.clock.advance(2 * HOUR)
    await query(world, 'select auth_jobs.add_job($1)', ['forget-expired'])
    await world.advance(0)
    expect(await query(world, 'select 1 from auth.idempotent_request')).toEqual([])
  })

  test('leaves what its operations did on record for two hours', async () => {
    const { done } = await world.cast('done')
    await done.post('/api/v1/lists', { title: 'done' }, newKey())
    await done.post('/api/v2/media', picture(), newKey())
    const steps = { 'statuses.completed_step': 'forget-idempotency-keys', 'media.completed_step': 'reap-attachments' }
    const recordOf = (table: string) => query(world, `select 1 from ${table}`)
    // The time is the database's.
    const age = (table: string, hours: string) =>
      query(world, `update ${table} set created_at = $1::timestamptz - $2::interval`, [now(), hours])
    const now = () => new Date(world.clock.now()).toISOString()
    const forget = async () => {
      for (const [table, job] of Object.entries(steps)) await query(world, `select ${table.split('.')[0]}_jobs.add_job($1)`, [job])
      await world.advance(0)
    }
    for (const table of Object.keys(steps)) await age(table, '1 hour 59 minutes')
    await forget()
    for (const table of Object.keys(steps)) expect((await recordOf(table)).length, table).toBeGreaterThan(0)
    for (const table of Object.keys(steps)) await age(table, '2 hours 1 minute')
    await forget()
    for (const table of Object.keys(steps)) expect(await recordOf(table), table).toEqual([])
  })

  test('leaves no secret in the database: not of the app, not of the newcomer, nor the key itself', async () => {
    const registered = await world.asks('POST', '/api/v1/apps', {
      body: { client_name: 'Hidden', redirect_uris: 'tea://done' },
      headers: { 'idempotency-key': 'hush hush' },
    })
    const signedUp = await world.asks('POST', '/api/v1/accounts', {
      token: appToken,
      body: newcomer('hidden'),
      headers: { 'idempotency-key': 'hush hush' },
    })
    expect([registered.status, signedUp.status]).toEqual([200, 200])
    const rows = await query(
      world,
      'select r::text as row from auth.idempotent_request r union all select s::text from auth.completed_step s',
    )
    const hex = (text: string) => Buffer.from(text).toString('hex')
    for (const secret of [registered.body.client_secret, signedUp.body.access_token, 'a password', 'hush hush', appToken]) {
      for (const { row } of rows) for (const spelled of [secret, hex(secret)]) expect(row).not.toContain(spelled)
    }
  })
})

describe('a client that repeats its request until it is answered', () => {
  /** A proxy that loses the answers to the first requests, or also disconnects from the server. */
  const openProxy = async (losses: number, { hangsUp }: { hangsUp: boolean }) => {
    const { hostname, port } = new URL(world.origin)
    let left = losses
    const proxy = createServer((client) => {
      const server = connect(Number(port), hostname)
      for (const socket of [client, server]) socket.on('error', () => {})
      const end = () => [client, server].map((socket) => socket.destroy())
      client.on('close', end)
      server.on('close', end)
      const isLost = left-- > 0
      client.on('data', (chunk) => server.write(chunk, () => isLost && hangsUp && chunk.includes('end of the request') && end()))
      server.on('data', (chunk) => (isLost ? end() : client.write(chunk)))
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    onTestFinished(() => void proxy.close())
    return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  }

  const persists = async (origin: string, path: string, asking: Parameters<World['asks']>[2]): Promise<Answer> => {
    for (let tries = 0; tries < 20; tries++) {
      const answer = await ask(origin, 'POST', path, asking).catch(() => undefined)
      if (answer) return answer
    }
    throw new Error(`no answer of ${path}`)
  }

  test.each([
    ['whose answers are lost', false],
    ['whose connection is lost once it was sent', true],
  ])('%s makes one of each', async (_case, hangsUp) => {
    const stubborn = await world.person(`stubborn_${++last}`)
    const end = 'end of the request'
    const poll = (await other.says('which?', { poll: { options: ['a', 'b'], expires_in: 3600 } })).poll
    const requests: [string, unknown, string?][] = [
      ['/api/v1/lists', { title: end }],
      ['/api/v2/filters', { title: end, context: ['home'] }],
      ['/api/v1/filters', { context: ['home'], phrase: end }],
      ['/api/v1/reports', { account_id: owner.id, comment: end }],
      ['/api/v1/featured_tags', { name: 'once', more: end }],
      [`/api/v1/polls/${poll.id}/votes`, { choices: [1], more: end }],
      [`/api/v1/accounts/${owner.id}/follow`, { more: end }],
      ['/api/v1/accounts', { ...newcomer(`newcomer_${++last}`), more: end }, appToken],
    ]
    for (const [path, body, token = stubborn.token] of requests) {
      const origin = await openProxy(3, { hangsUp })
      const answer = await persists(origin, path, { token, body, headers: newKey() })
      expect(answer.status, `${path} ${answer.text}`).toBe(200)
    }
    expect((await stubborn.get('/api/v1/lists')).body).toHaveLength(1)
    expect((await stubborn.get('/api/v2/filters')).body).toHaveLength(2)
    expect((await stubborn.get('/api/v1/featured_tags')).body).toHaveLength(1)
    expect(await query(world, 'select id from statuses.report where account_id = $1', [stubborn.id])).toHaveLength(1)
    expect((await stubborn.get(`/api/v1/polls/${poll.id}`)).body).toMatchObject({ votes_count: 1, own_votes: [1] })
  })
})

describe('any value of the header', () => {
  const ODD = [
    '\t',
    ' ',
    '"quoted"',
    'a, b',
    'é\tÿ',
    '%00',
    '\\',
    "'; drop table login; --",
    '{"a":1}',
    '__proto__',
    'x'.repeat(256),
    '0',
    'null',
    '../..',
  ]

  test.each(ODD)('%.20j is a key like another', async (value) => {
    const asks = () =>
      send(world.origin, {
        method: 'POST',
        path: '/api/v1/lists',
        token: owner.token,
        headers: { 'idempotency-key': value, 'content-type': 'application/json' },
        body: '{"title":"odd"}',
      })
    const [first, again] = [await asks(), await asks()]
    expect([first.status, again.status]).toEqual([200, 200])
    if (value.trim()) expect(again.text).toBe(first.text)
  })

  test('given twice is one key', async () => {
    const asks = (value: string | string[]) =>
      send(world.origin, { method: 'DELETE', path: '/api/v1/lists/99999', token: owner.token, headers: { 'idempotency-key': value } })
    expect((await asks(['a', 'b'])).status).toBe(404)
  })

  test('of thousands of characters counts to its last', async () => {
    const long = 'x'.repeat(5000)
    const made = async (end: string) => {
      const { status, body } = await owner.post('/api/v1/lists', { title: 'long' }, { 'idempotency-key': `${long}${end}` })
      expect(status).toBe(200)
      return body.id
    }
    const first = await made('a')
    expect(await made('a')).toBe(first)
    expect(await made('b')).not.toBe(first)
  })
})
