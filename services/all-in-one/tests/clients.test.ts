import { createHash, randomBytes } from 'node:crypto'
import { type Answer, ask, type Person, World } from '@rookery/test-world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { approve, asForm, asJson, type Client, codeIn, letIn, linesUntil, openSocket, updateOf } from './client.ts'

// The clients in use, from their first request to a post that arrives live; each in its own encodings (beyond-the-spec 3.1, 3.5).

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let world: World
let joel: Person
beforeAll(async () => {
  world = await World.open()
  joel = await world.person('joel')
})
afterAll(() => world.close())

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const picture = (fields: Record<string, string> = {}) => {
  const form = new FormData()
  form.set('file', new File([PIXEL], 'pixel.png', { type: 'image/png' }))
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

let people = 0
/** A new person, whom Joel follows and who follows Joel. */
const newPerson = async (name: string) => {
  const person = await world.person(`${name}_${++people}`)
  await joel.follows(person)
  await person.follows(joel)
  await world.idle()
  return person
}

/** Expects a post of Joel's in the client's home. */
const expectAtHome = async (client: Client, path: string) => {
  const said = await joel.says('hello, everyone')
  await world.idle()
  const home = await client.gets(path)
  expect(home[0].id).toBe(said.id)
  return said
}

test('Elk: JSON, a proxy’s address with escapes in it, several streams on one socket by subprotocol', async () => {
  const { username } = await newPerson('elk')
  const redirect_uri = 'https://elk.zone/api/rookery.example/oauth/https%3A%2F%2Felk.zone'
  const scope = 'read write follow push'
  const [app, instance] = await Promise.all([
    world.asks(
      'POST',
      '/api/v1/apps',
      asJson({ client_name: 'Elk', website: 'https://elk.zone', redirect_uris: redirect_uri, scopes: scope }),
    ),
    world.get('/api/v2/instance'),
  ])
  const { client_id, client_secret } = app.body
  expect(app.body.redirect_uri).toBe(redirect_uri)
  const back = await approve(world.origin, username, '/oauth/authorize', {
    client_id,
    force_login: 'true',
    scope,
    lang: 'en-US',
    redirect_uri,
  })
  expect(back.location?.startsWith(`${redirect_uri}?code=`)).toBe(true)
  const exchange = { client_id, client_secret, redirect_uri, grant_type: 'authorization_code', code: codeIn(back), scope }
  const elk = await letIn(world.origin, await world.asks('POST', '/oauth/token', asJson(exchange)))

  const { configuration } = instance.body
  expect(configuration).toMatchObject({ statuses: { max_characters: 500 }, polls: { max_options: 4 } })
  expect(configuration.media_attachments.supported_mime_types.filter((type: string) => type.startsWith('image/')).length).toBeGreaterThan(0)
  await elk.gets('/nodeinfo/2.0')
  expect(await elk.gets('/api/v1/preferences')).toMatchObject({ 'posting:default:visibility': 'public' })
  expect(await elk.gets('/api/v1/markers?timeline[]=notifications')).toEqual({})
  for (const path of ['/api/v1/push/subscription', '/api/v1/custom_emojis']) await elk.tries('GET', path)
  await expectAtHome(elk, '/api/v1/timelines/home?limit=30')
  await elk.gets('/api/v1/notifications?limit=30')
  expect(await elk.gets(`/api/v1/accounts/relationships?id%5B%5D=${joel.id}`)).toMatchObject([{ following: true, followed_by: true }])
  expect(await elk.gets('/api/v1/accounts/lookup?acct=joel')).toMatchObject({ id: joel.id, acct: 'joel' })

  const socket = await openSocket(`${configuration.urls.streaming}/api/v1/streaming`, elk.token)
  expect(socket.protocol).toBe(elk.token)
  socket.send({ type: 'subscribe', stream: 'user' })
  socket.send({ type: 'subscribe', stream: 'user:notification' })
  const said = await joel.says(`look here @${username}`)
  expect((await socket.hears(updateOf(said.id))).stream).toEqual(['user'])
  await world.idle()
  const notified = await socket.hears(({ event, stream }) => event === 'notification' && stream[0] === 'user:notification')
  expect(JSON.parse(notified.payload!)).toMatchObject({ type: 'mention', status: { id: said.id } })
  socket.close()

  const media = await elk.posts('/api/v2/media', { body: picture({ description: 'a dot' }) })
  const body = {
    status: `@joel seen`,
    in_reply_to_id: said.id,
    media_ids: [media.id],
    visibility: 'public',
    sensitive: false,
    language: 'en',
  }
  const reply = await elk.posts('/api/v1/statuses', { body, headers: { 'idempotency-key': 'elk-1' } })
  expect(reply).toMatchObject({ in_reply_to_id: said.id, media_attachments: [{ description: 'a dot' }], application: { name: 'Elk' } })
  expect((await elk.posts('/api/v1/statuses', { body, headers: { 'idempotency-key': 'elk-1' } })).id).toBe(reply.id)
})

test('Phanpy: host-meta, a form, PKCE, plain polling', async () => {
  const { username } = await newPerson('phanpy')
  const { text: hostMeta } = await world.get('/.well-known/host-meta')
  const server = new URL(/template="([^"]+)"/.exec(hostMeta)?.[1]?.replace('{uri}', 'x') ?? '').origin
  expect(server).toBe(world.origin)
  const redirect_uri = 'https://phanpy.social/'
  const scopes = 'read write follow push'
  const app = await ask(server, 'POST', '/api/v1/apps', {
    ...asForm({ client_name: 'Phanpy', redirect_uris: redirect_uri, scopes, website: 'https://phanpy.social' }),
  })
  const { client_id, client_secret } = app.body
  const { body: metadata } = await world.get('/.well-known/oauth-authorization-server')
  expect(metadata.code_challenge_methods_supported).toContain('S256')
  const verifier = randomBytes(48).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const question = { client_id, redirect_uri, scope: scopes, code_challenge: challenge, code_challenge_method: 'S256' }
  const authorize = new URL(metadata.authorization_endpoint)
  expect(authorize.origin).toBe(world.origin)
  const back = await approve(world.origin, username, authorize.pathname, question)
  const grant = { client_id, client_secret, redirect_uri, grant_type: 'authorization_code', code: codeIn(back), scope: scopes }
  const wrong = await world.asks('POST', '/oauth/token', asForm({ ...grant, code_verifier: randomBytes(48).toString('base64url') }))
  expect(wrong).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  const again = await approve(world.origin, username, authorize.pathname, question)
  const exchange = asForm({ ...grant, code: codeIn(again), code_verifier: verifier })
  const phanpy = await letIn(world.origin, await world.asks('POST', new URL(metadata.token_endpoint).pathname, exchange))

  const instance = await phanpy.gets('/api/v2/instance')
  expect(instance.version).toMatch(/^\d+\.\d+\.\d+(\+[\w.-]+)?$/)
  const { links } = await phanpy.gets('/.well-known/nodeinfo')
  await phanpy.gets(new URL(links[0].href).pathname)
  const first = await expectAtHome(phanpy, '/api/v1/timelines/home?limit=20')
  await phanpy.gets('/api/v1/notifications?limit=30')
  await phanpy.gets('/api/v1/follow_requests?limit=1')
  expect(await phanpy.gets('/api/v1/announcements')).toEqual([])
  for (const path of ['/api/v2/notifications/policy', '/api/v1/notifications/requests']) await phanpy.tries('GET', path)
  expect(await phanpy.gets('/api/v1/lists')).toEqual([])
  expect(await phanpy.posts('/api/v1/tags/tea/follow', {})).toMatchObject({ following: true })
  expect(await phanpy.gets('/api/v1/followed_tags')).toMatchObject([{ name: 'tea', following: true }])
  const marked = await phanpy.posts('/api/v1/markers', asJson({ home: { last_read_id: first.id } }))
  expect(marked).toMatchObject({ home: { last_read_id: first.id, version: 1 } })
  expect(await phanpy.gets('/api/v1/markers?timeline=home')).toEqual(marked)
  await phanpy.tries('GET', `/api/v1/accounts/familiar_followers?id[]=${joel.id}`)

  const said = await joel.says('since then')
  await world.idle()
  const newer = await phanpy.gets(`/api/v1/timelines/home?limit=1&since_id=${first.id}`)
  expect(newer.map(({ id }: Json) => id)).toEqual([said.id])
  const posted = await phanpy.posts(
    '/api/v1/statuses',
    asJson({ status: 'from Phanpy', spoiler_text: '', language: 'en', visibility: 'public' }),
  )
  expect(posted).toMatchObject({
    content: '<p>from Phanpy</p>',
    application: { name: 'Phanpy', website: expect.stringMatching(/^https:\/\/phanpy/) },
  })
})

test('Pinafore: JSON to register, a form for the token, a socket for each timeline', async () => {
  const { username } = await newPerson('pinafore')
  const redirect_uri = 'https://pinafore.social/settings/instances/add'
  const scope = 'read write follow push'
  const [app, instance] = await Promise.all([
    world.asks(
      'POST',
      '/api/v1/apps',
      asJson({ client_name: 'Pinafore', redirect_uris: redirect_uri, scopes: scope, website: 'https://pinafore.social' }),
    ),
    world.get('/api/v1/instance'),
  ])
  const { client_id, client_secret } = app.body
  const back = await approve(world.origin, username, '/oauth/authorize', { client_id, redirect_uri, scope })
  const grant = { client_id, client_secret, redirect_uri, grant_type: 'authorization_code', code: codeIn(back) }
  const pinafore = await letIn(world.origin, await world.asks('POST', '/oauth/token', asForm(grant)))

  for (const path of ['/api/v1/custom_emojis', '/api/v1/lists', '/api/v1/push/subscription']) await pinafore.tries('GET', path)
  expect(await pinafore.gets('/api/v1/filters')).toEqual([])
  const phrase = { phrase: 'spoilers', context: ['home', 'public'], irreversible: false, whole_word: true }
  const filter = await pinafore.posts('/api/v1/filters', asJson({ ...phrase, expires_in: null }))
  expect(filter).toMatchObject({ ...phrase, expires_at: null })
  const changed = { ...phrase, irreversible: true, expires_in: null }
  expect((await pinafore.asks('PUT', `/api/v1/filters/${filter.id}`, asJson(changed))).body.irreversible).toBe(true)
  expect((await pinafore.asks('DELETE', `/api/v1/filters/${filter.id}`)).body).toEqual({})
  await expectAtHome(pinafore, '/api/v1/timelines/home?limit=20')
  await pinafore.gets(
    '/api/v1/notifications?limit=20&exclude_types[]=follow&exclude_types[]=favourite&exclude_types[]=reblog&exclude_types[]=poll',
  )
  expect(await pinafore.gets(`/api/v1/accounts/relationships?id=${joel.id}`)).toMatchObject([{ id: joel.id }])

  const { streaming_api } = instance.body.urls
  const [user, local] = await Promise.all(
    ['user', 'public:local'].map((stream) =>
      openSocket(`${streaming_api}/api/v1/streaming?stream=${stream}&access_token=${pinafore.token}`),
    ),
  )
  const said = await joel.says('to both')
  await user!.hears(updateOf(said.id))
  await local!.hears(updateOf(said.id))
  user!.close()
  local!.close()

  const body = {
    status: 'from Pinafore',
    in_reply_to_id: null,
    media_ids: [],
    sensitive: false,
    spoiler_text: null,
    visibility: 'unlisted',
    poll: null,
  }
  expect(await pinafore.posts('/api/v1/statuses', asJson(body))).toMatchObject({ visibility: 'unlisted', spoiler_text: '' })
  expect(await pinafore.posts(`/api/v1/statuses/${said.id}/favourite`, {})).toMatchObject({ id: said.id, favourited: true })
  await pinafore.tries('PUT', '/api/v2/media/1')
})

test('Tusky: forms, a scheme of its own, filters of two versions', async () => {
  const { username } = await newPerson('tusky')
  const redirect_uri = 'oauth2redirect://com.keylesspalace.tusky/'
  const scope = 'read write follow push'
  const app = await world.asks(
    'POST',
    '/api/v1/apps',
    asForm({ client_name: 'Tusky', redirect_uris: redirect_uri, scopes: scope, website: 'https://tusky.app' }),
  )
  const { client_id, client_secret } = app.body
  const back = await approve(world.origin, username, '/oauth/authorize', { client_id, redirect_uri, scope })
  expect(back.location?.startsWith(redirect_uri)).toBe(true)
  const grant = { client_id, client_secret, redirect_uri, code: codeIn(back), grant_type: 'authorization_code' }
  const tusky = await letIn(world.origin, await world.asks('POST', '/oauth/token', asForm(grant)))

  const { configuration } = await tusky.gets('/api/v2/instance')
  expect(configuration.accounts.max_featured_tags).toBe(10)
  for (const path of ['/api/v1/announcements', '/api/v1/custom_emojis', '/api/v1/lists']) await tusky.gets(path)
  expect(await tusky.gets('/api/v2/filters')).toEqual([])
  const made = await tusky.posts('/api/v2/filters', asForm({ title: 'cats', 'context[]': 'home', filter_action: 'warn', expires_in: '' }))
  const words = `/api/v2/filters/${made.id}/keywords`
  const word = await tusky.posts(words, asForm({ keyword: 'cat', whole_word: 'true' }))
  await tusky.asks('PUT', `/api/v2/filters/keywords/${word.id}`, asForm({ keyword: 'cats', whole_word: 'false' }))
  expect(await tusky.gets('/api/v2/filters')).toMatchObject([{ expires_at: null, keywords: [{ keyword: 'cats', whole_word: false }] }])
  const first = await expectAtHome(tusky, '/api/v1/timelines/home?limit=30')
  const said = await joel.says('more')
  await world.idle()
  expect(await tusky.gets(`/api/v1/timelines/home?limit=30&max_id=${said.id}&since_id=${BigInt(first.id) - 1n}`)).toMatchObject([
    { id: first.id },
  ])
  await tusky.gets('/api/v1/notifications?limit=30&exclude_types%5B%5D=poll')
  await tusky.tries('GET', '/api/v1/markers?timeline[]=notifications')

  const media = await tusky.posts('/api/v2/media', { body: picture({ description: 'a dot', focus: '0.0,0.5' }) })
  expect((await tusky.asks('PUT', `/api/v1/media/${media.id}`, asForm({ description: 'a small dot' }))).body.description).toBe(
    'a small dot',
  )
  const headers = { 'idempotency-key': 'tusky-1' }
  const body = { status: 'from Tusky', visibility: 'public', sensitive: true, spoiler_text: 'dots', media_ids: [media.id], language: 'en' }
  expect(await tusky.posts('/api/v1/statuses', { body, headers })).toMatchObject({
    sensitive: true,
    media_attachments: [{ description: 'a small dot' }],
  })
  expect(await tusky.posts(`/api/v1/accounts/${joel.id}/follow`, asForm({ reblogs: 'false' }))).toMatchObject({ showing_reblogs: false })
  const list = await tusky.posts('/api/v1/lists', asForm({ title: 'friends', exclusive: 'false', replies_policy: 'followed' }))
  expect(await tusky.gets('/api/v1/lists')).toEqual([list])
  const members = `/api/v1/lists/${list.id}/accounts`
  expect(await tusky.posts(members, asForm({ 'account_ids[]': joel.id }))).toEqual({})
  expect(await tusky.gets(`${members}?limit=0`)).toMatchObject([{ id: joel.id }])
  expect((await tusky.asks('DELETE', members, asForm({ 'account_ids[]': joel.id }))).body).toEqual({})
  expect(await tusky.gets(members)).toEqual([])
})

test('toot: a code to copy, a slash behind the address, Link followed by path', async () => {
  const { username } = await newPerson('toot')
  const redirect_uri = 'urn:ietf:wg:oauth:2.0:oob'
  const { body: instance } = await world.get('/api/v1/instance')
  expect(instance.uri).toBe(new URL(world.origin).host)
  const scopes = 'read write follow'
  const app = await world.asks(
    'POST',
    '/api/v1/apps',
    asJson({ client_name: 'toot - a Mastodon CLI client', redirect_uris: redirect_uri, scopes, website: 'https://toot.bezdomni.net/' }),
  )
  const { client_id, client_secret } = app.body
  const code = codeIn(await approve(world.origin, username, '/oauth/authorize/', { redirect_uri, scope: scopes, client_id }))
  expect(code).toMatch(/^[\w-]+$/)
  const grant = { grant_type: 'authorization_code', client_id, client_secret, code, redirect_uri }
  const toot = await letIn(world.origin, await world.asks('POST', '/oauth/token', asForm(grant)))

  for (const status of ['one', 'two', 'three'])
    await toot.posts('/api/v1/statuses', { ...asJson({ status, visibility: 'public' }), headers: { 'idempotency-key': `toot-${status}` } })
  await world.idle()
  const seen: string[] = []
  let path: string | undefined = '/api/v1/timelines/home?limit=2'
  while (path) {
    const answer = await toot.asks('GET', path)
    seen.push(...answer.body.map(({ content }: Json) => content))
    const next = /^<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
    path = next && new URL(next).pathname + new URL(next).search
  }
  expect(seen.slice(0, 3)).toEqual(['<p>three</p>', '<p>two</p>', '<p>one</p>'])
  await toot.tries('GET', '/api/v2/search?q=joel&type=accounts&resolve=true')
  const [last] = await toot.gets('/api/v1/timelines/home?limit=1')
  expect((await toot.asks('DELETE', `/api/v1/statuses/${last.id}`)).body.text).toBe('three')
  expect((await world.asks('POST', '/oauth/revoke', asForm({ client_id, client_secret, token: toot.token }))).status).toBe(200)
  expect((await toot.asks('GET', '/api/v1/timelines/home')).status).toBe(401)
})

test('Mastodon.py: forms, numbers for booleans, slashes, events by HTTP', async () => {
  const { username } = await newPerson('python')
  const uris = ['urn:ietf:wg:oauth:2.0:oob', 'http://localhost:8080/']
  const scope = 'read write follow push'
  const app = await world.asks('POST', '/api/v1/apps', asForm({ client_name: 'script', redirect_uris: uris.join('\n'), scopes: scope }))
  const { client_id, client_secret } = app.body
  expect(app.body.redirect_uris).toEqual(uris)
  expect((await world.get('/.well-known/oauth-authorization-server')).status).toBe(200)
  const redirect_uri = uris[0]!
  const code = codeIn(
    await approve(world.origin, username, '/oauth/authorize', { client_id, redirect_uri, scope, force_login: 'False', state: 'None' }),
  )
  const token = await world.asks(
    'POST',
    '/oauth/token',
    asForm({ client_id, client_secret, redirect_uri, code, grant_type: 'authorization_code', scope }),
  )
  expect(token.body.scope.split(' ').sort()).toEqual(scope.split(' ').sort())
  const python = await letIn(world.origin, token)

  const v1 = await python.gets('/api/v1/instance/')
  expect(v1.urls.streaming_api).toMatch(/^wss?:\/\//)
  expect((await python.gets('/api/v2/instance/')).version).toMatch(/^\d+\.\d+\.\d+/)
  const clock = await world.asks('HEAD', '/')
  expect(Math.abs(Date.parse(clock.headers.get('date') ?? '') - Date.now())).toBeLessThan(5000)
  const said = await expectAtHome(python, '/api/v1/timelines/home?limit=40')
  const page = await python.asks('GET', '/api/v1/timelines/home?limit=1')
  expect(/[?&]max_id=(\d+)/.exec(page.headers.get('link') ?? '')?.[1]).toBe(said.id)
  const yesterday = (BigInt(Date.now() - 86_400_000) << 16n).toString()
  expect((await python.gets(`/api/v1/timelines/home?min_id=${yesterday}`)).length).toBeGreaterThan(0)

  const media = await python.posts('/api/v2/media', { body: picture() })
  const form = new URLSearchParams({ status: 'from a script', sensitive: '1', visibility: 'public', in_reply_to_id: said.id })
  form.append('media_ids[]', media.id)
  expect(await python.posts('/api/v1/statuses', { body: form })).toMatchObject({ sensitive: true, media_attachments: [{ id: media.id }] })
  expect((await python.posts('/api/v1/statuses', asForm({ status: 'plain', sensitive: '0' }))).sensitive).toBe(false)
  await python.posts(`/api/v1/accounts/${joel.id}/mute`, asForm({ notifications: '0', duration: '60' }))
  await python.posts(`/api/v1/accounts/${joel.id}/unmute`, {})

  const base = v1.urls.streaming_api.replace(/^ws/, 'http')
  const events = await fetch(`${base}/api/v1/streaming/user`, { headers: { authorization: `Bearer ${python.token}` } })
  expect([events.status, events.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/event-stream/)])
  const live = await joel.says('live')
  const lines = await linesUntil(events, (line) => line.startsWith('data: ') && line.includes(live.id))
  expect(lines[0]).toMatch(/^:/)
  expect(lines.at(-2)).toBe('event: update')
  expect(JSON.parse(lines.at(-1)!.slice('data: '.length)).id).toBe(live.id)
})

describe('any client', () => {
  const given = { client_name: 'Any', redirect_uris: 'any://done', scopes: 'read write' }

  test.each<[string, () => Promise<Answer>]>([
    ['JSON', () => world.asks('POST', '/api/v1/apps', asJson(given))],
    ['a form', () => world.asks('POST', '/api/v1/apps', asForm(given))],
    ['the address', () => world.asks('POST', `/api/v1/apps?${new URLSearchParams(given)}`)],
    ['a list of addresses', () => world.asks('POST', '/api/v1/apps', asJson({ ...given, redirect_uris: ['any://done', 'any://other'] }))],
  ])('registers by %s', async (_name, register) => {
    const app = await register()
    expect(app.status).toBe(200)
    expect(app.body.redirect_uris[0]).toBe('any://done')
  })

  test('gets its token by JSON, by a form and by HTTP Basic', async () => {
    const { client_id, client_secret } = (await world.asks('POST', '/api/v1/apps', asJson(given))).body
    const grant = { grant_type: 'client_credentials', redirect_uri: 'any://done', scope: 'read' }
    const basic = { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` }
    const tokens = [
      await world.asks('POST', '/oauth/token', asJson({ ...grant, client_id, client_secret })),
      await world.asks('POST', '/oauth/token', asForm({ ...grant, client_id, client_secret })),
      await world.asks('POST', '/oauth/token', { ...asForm(grant), headers: basic }),
    ]
    for (const { status, body } of tokens) {
      expect([status, body.scope, body.token_type]).toEqual([200, 'read', 'Bearer'])
      expect((await world.asks('GET', '/api/v1/apps/verify_credentials', { token: body.access_token })).body.name).toBe('Any')
    }
  })

  test('fills the gap above a post it knows, and reaches the end', async () => {
    const { mira } = await world.cast('mira')
    const ids: string[] = []
    for (let index = 0; index < 7; index++) ids.unshift((await mira.says(`post ${index}`)).id)
    await world.idle()
    const page = async (query: string) => (await mira.home(query)).map(({ id }) => id)
    expect(await page(`?limit=2&min_id=${ids[6]}`)).toEqual(ids.slice(4, 6))
    expect(await page(`?limit=2&since_id=${ids[6]}`)).toEqual(ids.slice(0, 2))
    expect(await page(`?limit=2&max_id=${ids[1]}`)).toEqual(ids.slice(2, 4))
    expect(await page(`?max_id=${ids[6]}`)).toEqual([])
  })

  test('asks for a picture until it has an address', async () => {
    const media = (await joel.asks('POST', '/api/v2/media', { body: picture() })).body
    const read = await joel.get(`/api/v1/media/${media.id}`)
    expect(read).toMatchObject({ status: 200, body: { id: media.id, url: expect.stringMatching(/^http/) } })
    const file = await fetch(read.body.url)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)])
  })
})
