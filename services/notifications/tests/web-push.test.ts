import { callWithin } from '@rookery/rpc/call-within'
import { Person, World } from '@rookery/test-world'
import { claimsOf, openBrowser, openPushService } from '@rookery/test-world/push-service'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const HOUR = 3_600_000
const PATH = '/api/v1/push/subscription'

let world: World
let service: Awaited<ReturnType<typeof openPushService>>
let number = 0

beforeAll(async () => {
  service = await openPushService()
  world = await World.open({
    settings: { INSTANCE_CONTACT_EMAIL: 'owner@birds.example' },
    mayConnect: ({ address, port }) => address === '127.0.0.1' && port === service.port,
  })
})
afterAll(async () => {
  await world.close()
  await service.close()
})

type Wanted = { alerts?: Record<string, unknown>; policy?: string; standard?: boolean }

/** Someone who signed up with pages of a language. */
const signUp = async (username: string, locale: string): Promise<Person> => {
  const typed = { username, email: `${username}@example.org`, password: 'a long password', agreement: true, locale }
  const answer = await world.asks('POST', '/api/v1/accounts', { token: await world.appToken('read write push'), body: typed })
  const token: string = answer.body.access_token
  const { id } = (await world.asks('GET', '/api/v1/accounts/verify_credentials', { token })).body
  return new Person({ id, username, token, origin: world.origin })
}

/** Subscribes a device of someone. */
const subscribe = async (person: Person, alerts: Wanted['alerts']) => {
  const browser = openBrowser()
  const path = `/device/${person.username}`
  const subscribed = await person.post(PATH, {
    subscription: { endpoint: service.at(path), keys: browser.keys, standard: true },
    data: { alerts },
  })
  expect(subscribed.status).toBe(200)
  /** The titles of the alerts for the device. */
  return () => service.to(path).map((pushed) => browser.reads(pushed)['title'])
}

/** A reader with a subscribed device, and an author. */
const scene = async ({ alerts = { mention: true }, policy = 'all', standard = true }: Wanted = {}) => {
  const name = `push${++number}`
  const { [`${name}_reader`]: reader, [`${name}_author`]: author } = (await world.cast(`${name}_reader`, `${name}_author`)) as Record<
    string,
    Person
  >
  const browser = openBrowser()
  const path = `/device/${name}`
  const subscription = { endpoint: service.at(path), keys: browser.keys, standard }
  const subscribed = await reader!.post(PATH, { subscription, data: { alerts, policy } })
  expect(subscribed.status).toBe(200)
  const mentions = (text = 'tea?', more: Record<string, unknown> = {}) => author!.says(`@${reader!.username} ${text}`, more)
  return { reader: reader!, author: author!, browser, path, subscription, body: subscribed.body, mentions }
}
/** Handles all events and sends the alerts. */
const sent = () => world.advance(0)

describe('a subscription', () => {
  test('is made, read, changed and removed, one for each token, with the key that instance and apps name', async () => {
    const { reader, body, subscription } = await scene({ alerts: { mention: true, follow: 'false', poll: '1' }, policy: 'followed' })
    expect(body).toEqual({
      id: expect.any(Number),
      endpoint: subscription.endpoint,
      standard: true,
      alerts: { mention: true, follow: false, poll: true },
      policy: 'followed',
      server_key: expect.stringMatching(/^B[\w-]{86}$/),
    })
    expect((await reader.get(PATH)).body).toEqual(body)
    const changed = await reader.asks('PUT', PATH, { body: { data: { alerts: { reblog: true } }, policy: 'follower' } })
    expect(changed.body).toEqual({ ...body, alerts: { reblog: true }, policy: 'follower' })
    const again = await reader.post(PATH, { subscription, data: { alerts: {} } })
    expect(again.body).toMatchObject({ alerts: {}, policy: 'all' })
    expect((await reader.asks('DELETE', PATH)).body).toEqual({})
    expect((await reader.get(PATH)).status).toBe(404)
    expect((await reader.asks('PUT', PATH, { body: {} })).status).toBe(404)
    expect((await reader.asks('DELETE', PATH)).status).toBe(200)
    const app = await world.asks('POST', '/api/v1/apps', { body: { client_name: 'phone', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' } })
    const instance = (await world.get('/api/v2/instance')).body
    expect([app.body.vapid_key, instance.configuration.vapid.public_key]).toEqual([body.server_key, body.server_key])
  })

  test('is taken as a form, with keys in base64 as well as base64url', async () => {
    const { reader, browser } = await scene()
    const form = new URLSearchParams({
      'subscription[endpoint]': service.at('/form'),
      'subscription[keys][p256dh]': Buffer.from(browser.keys.p256dh, 'base64url').toString('base64'),
      'subscription[keys][auth]': `${browser.keys.auth}==`,
      'data[alerts][mention]': 'true',
      'data[policy]': 'none',
    })
    const { body } = await reader.post(PATH, form)
    expect(body).toMatchObject({ endpoint: service.at('/form'), standard: false, alerts: { mention: true }, policy: 'none' })
  })

  test.each([
    ['no endpoint', { endpoint: '' }, "Validation failed: Endpoint can't be blank"],
    ['an endpoint that is no web address', { endpoint: 'ftp://push.example/1' }, 'Validation failed: Endpoint is invalid'],
    ['an endpoint with credentials', { endpoint: 'https://a:b@push.example/1' }, 'Validation failed: Endpoint is invalid'],
    ['an endless endpoint', { endpoint: `https://push.example/${'a'.repeat(3000)}` }, 'Validation failed: Endpoint is invalid'],
    ['a key that is no point', { keys: { p256dh: Buffer.alloc(65, 4).toString('base64url') } }, 'Validation failed: Key p256dh is invalid'],
    ['no key', { keys: { p256dh: '' } }, 'Validation failed: Key p256dh is invalid'],
    ['a short secret', { keys: { auth: 'AAAA' } }, 'Validation failed: Key auth is invalid'],
  ])('with %s is refused', async (_case, wrong: { endpoint?: string; keys?: object }, error) => {
    const { reader, subscription } = await scene()
    const given = { ...subscription, ...wrong, keys: { ...subscription.keys, ...wrong.keys } }
    const refused = await reader.post(PATH, { subscription: given })
    expect([refused.status, refused.body]).toEqual([422, { error }])
  })

  test('without a subscription is refused', async () => {
    const { reader } = await scene()
    const { status, body } = await reader.post(PATH, { data: { alerts: { mention: true } } })
    expect({ status, body }).toEqual({ status: 400, body: { error: 'param is missing or the value is empty: subscription' } })
  })

  test('with an unknown policy is refused, and what was there stays', async () => {
    const { reader, body } = await scene()
    const refused = await reader.asks('PUT', PATH, { body: { data: { policy: 'friends' } } })
    expect([refused.status, refused.body]).toEqual([422, { error: 'Validation failed: Policy is not included in the list' }])
    expect((await reader.get(PATH)).body).toEqual(body)
  })

  test('needs the scope push', async () => {
    const other = await world.person(`scopeless${++number}`, { scopes: 'read write follow' })
    expect((await other.get(PATH)).status).toBe(403)
  })
})

describe('an alert', () => {
  test.each([true, false])('reaches the device encrypted and signed, standard: %s', async (standard) => {
    const { reader, author, browser, path, mentions, body } = await scene({ standard })
    await author.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'Ann' } })
    await mentions('<b>tea</b> & milk')
    await sent()
    const [pushed, ...more] = service.to(path)
    expect(more).toEqual([])
    const [notification] = (await reader.get('/api/v1/notifications')).body
    expect(browser.reads(pushed!)).toEqual({
      access_token: reader.token,
      preferred_locale: 'en',
      notification_id: Number(notification.id),
      notification_type: 'mention',
      icon: expect.stringContaining(world.origin),
      title: 'Ann mentioned you',
      body: `@${reader.username} <b>tea</b> & milk`,
    })
    expect(pushed!.headers).toMatchObject({ ttl: '172800', urgency: 'normal', topic: `notification-${notification.id}` })
    const { key, claims } = claimsOf(pushed!)
    expect([key, claims.aud, claims.sub]).toEqual([body.server_key, service.origin, 'mailto:owner@birds.example'])
  })

  test.each([
    ['de', 'hat dich erwähnt'],
    ['fr', 'vous a mentionné'],
    ['pl', 'mentioned you'],
  ])('has a title in the language of its reader, or in English: %s', async (locale, sentence) => {
    const reader = await signUp(`reads_${locale}`, locale)
    const titles = await subscribe(reader, { mention: true })
    const author = await world.person(`writes_${locale}`)
    await author.says(`@${reader.username} hello`)
    await sent()
    expect(titles()).toEqual([`${author.username} ${sentence}`])
  })

  test('of sign-ups and reports reaches staff alone', async () => {
    const alerts = { 'admin.sign_up': true, 'admin.report': true }
    const { push_user: user, push_reported: reported } = await world.cast('push_user', 'push_reported')
    const [forOwner, forUser] = [
      await subscribe(await world.person('push_owner', { role: 'owner' }), alerts),
      await subscribe(user, alerts),
    ]
    await signUp('push_newcomer', 'en')
    await user.post('/api/v1/reports', { account_id: reported.id, comment: 'spam' })
    await sent()
    expect(forOwner().toSorted()).toEqual(['push_newcomer signed up', 'push_user filed a report'])
    expect(forUser()).toEqual([])
  })

  test('shows the warning of a post in place of its text, and no more than 140 characters', async () => {
    const { browser, path, mentions } = await scene()
    await mentions('the murderer is the gardener', { spoiler_text: 'end of the book' })
    await mentions('a'.repeat(400))
    await sent()
    const bodies = service.to(path).map((pushed) => browser.reads(pushed)['body'] as string)
    expect(bodies).toContain('end of the book')
    expect(bodies.map((text) => [...text].length).sort((a, b) => a - b)).toEqual([15, 140])
  })

  test.each([
    ['all', [1, 1, 1]],
    ['followed', [0, 1, 0]],
    ['follower', [0, 0, 1]],
    ['none', [0, 0, 0]],
  ])('comes by the policy %s from strangers, those followed and followers: %j', async (policy, wanted) => {
    const { reader, path } = await scene({ policy })
    const {
      [`s${number}`]: stranger,
      [`d${number}`]: followed,
      [`f${number}`]: follower,
    } = (await world.cast(`s${number}`, `d${number}`, `f${number}`)) as Record<string, Person>
    await reader.follows(followed!)
    await follower!.follows(reader)
    const counts: number[] = []
    for (const author of [stranger!, followed!, follower!]) {
      const before = service.to(path).length
      await author.says(`@${reader.username} hello`)
      await sent()
      counts.push(service.to(path).length - before)
    }
    expect(counts).toEqual(wanted)
  })

  test('is not sent of types that are off, of what a filter hides, of what is gone, nor to who blocked its author', async () => {
    const { reader, author, path, mentions } = await scene()
    const { body: filter } = await reader.post('/api/v2/filters', {
      title: 'tea',
      context: ['notifications'],
      filter_action: 'hide',
      keywords_attributes: [{ keyword: 'tea' }],
    })
    expect(filter.title).toBe('tea')
    await author.follows(reader)
    await mentions('tea again')
    const gone = await mentions('milk')
    await world.idle()
    await author.asks('DELETE', `/api/v1/statuses/${gone.id}`)
    await sent()
    await reader.does('block', author)
    expect((await author.post('/api/v1/statuses', { status: `@${reader.username} hello` })).status).toBe(200)
    await sent()
    expect(service.to(path)).toEqual([])
  })

  test('is not sent of what a mute, a muted thread, a blocked account or a policy keeps from the inbox', async () => {
    const { reader, author, browser, path, mentions } = await scene({
      alerts: { mention: true, favourite: true, reblog: true, follow: true },
    })
    const names = [`m${number}`, `b${number}`] as const
    const { [names[0]]: muted, [names[1]]: blocked } = (await world.cast(...names)) as Record<string, Person>
    await reader.does('mute', muted!)
    await reader.does('block', blocked!)
    const thread = await reader.says('a thread')
    await reader.reacts('mute', thread)
    await muted!.says(`@${reader.username} muted`)
    await muted!.follows(reader)
    await mentions('in the muted thread', { in_reply_to_id: thread.id })
    await author.reacts('favourite', thread)
    await author.reacts('reblog', thread)
    await mentions(`with @${blocked!.username}`)
    for (const wanted of ['filter', 'drop']) {
      await reader.asks('PATCH', '/api/v2/notifications/policy', { body: { for_not_following: wanted } })
      await mentions(`of a stranger: ${wanted}`)
    }
    await sent()
    expect(service.to(path)).toEqual([])
    await reader.asks('PATCH', '/api/v2/notifications/policy', { body: { for_not_following: 'accept' } })
    await reader.post(`/api/v1/accounts/${muted!.id}/mute`, { notifications: false })
    await muted!.says(`@${reader.username} muted on timelines alone`)
    await sent()
    expect(service.to(path).map((pushed) => browser.reads(pushed)['body'])).toEqual([`@${reader.username} muted on timelines alone`])
  })

  test('comes no more once its token is revoked, and not while its login is disabled', async () => {
    const { reader, path, mentions } = await scene()
    const operator = world.operator()
    const call = () => callWithin(30, 'push')
    await operator.setDisabled(call(), { username: reader.username, isDisabled: true })
    await sent()
    await mentions('disabled')
    await sent()
    expect(service.to(path)).toHaveLength(0)
    await operator.setDisabled(call(), { username: reader.username, isDisabled: false })
    await sent()
    await mentions('enabled')
    await sent()
    expect(service.to(path)).toHaveLength(1)
    await operator.revokeToken(call(), { accessToken: reader.token, username: '' })
    await sent()
    await mentions('revoked')
    await sent()
    expect(service.to(path)).toHaveLength(1)
  })
})

describe('a push service', () => {
  test.each([404, 410, 403])('that answers %i has the subscription removed', async (status) => {
    const { reader, path, mentions } = await scene()
    service.answers.set(path, { status })
    await mentions()
    await sent()
    expect((await reader.get(PATH)).status).toBe(404)
    await mentions()
    await sent()
    expect(service.to(path)).toHaveLength(1)
  })

  test('that fails is asked again, growingly seldom, until it takes the alert', async () => {
    const { reader, path, mentions } = await scene()
    service.answers.set(path, { status: 503 })
    await mentions()
    await sent()
    await world.advance(5_000)
    expect(service.to(path)).toHaveLength(1)
    await world.advance(20_000)
    expect(service.to(path)).toHaveLength(2)
    service.answers.delete(path)
    await world.advance(60_000)
    await world.advance(HOUR)
    expect(service.to(path)).toHaveLength(3)
    expect((await reader.get(PATH)).status).toBe(200)
  })

  test('that asks for time gets it', async () => {
    const { path, mentions } = await scene()
    service.answers.set(path, { status: 429, headers: { 'retry-after': '3600' } })
    await mentions()
    await sent()
    await world.advance(HOUR / 2)
    expect(service.to(path)).toHaveLength(1)
    service.answers.delete(path)
    await world.advance(HOUR)
    expect(service.to(path)).toHaveLength(2)
  })

  test('that is away for two days costs no alert after that', async () => {
    const { path, mentions } = await scene()
    service.answers.set(path, { status: 500 })
    await mentions()
    await sent()
    for (let hours = 0; hours < 60; hours += 6) await world.advance(6 * HOUR)
    const tries = service.to(path).length
    expect(tries).toBeGreaterThan(4)
    await world.advance(24 * HOUR)
    expect(service.to(path)).toHaveLength(tries)
  })

  test('inside the own network is never asked, and its subscription removed', async () => {
    const { reader, browser, mentions } = await scene()
    const inside = { endpoint: 'http://10.0.0.1/device', keys: browser.keys, standard: true }
    expect((await reader.post(PATH, { subscription: inside, data: { alerts: { mention: true } } })).status).toBe(200)
    await mentions()
    await sent()
    expect((await reader.get(PATH)).status).toBe(404)
  })
})

test('the database alone tells neither tokens nor private keys in clear', async () => {
  const { reader } = await scene()
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query('select * from notifications.push_subscription')
    expect(rows.length).toBeGreaterThan(0)
    const text = JSON.stringify(rows.map((row) => ({ ...row, access_token: row.access_token.toString('latin1') })))
    expect(text).not.toContain(reader.token)
  } finally {
    await client.end()
  }
})
