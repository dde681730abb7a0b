import { InstanceSettingsDefinition } from '@rookery/contracts/federation'
import { callWithin } from '@rookery/rpc/call-within'
import { type Person, World } from '@rookery/test-world'
import { innerCall, innerClient } from '@rookery/test-world/calls'
import { query } from '@rookery/test-world/queries'
import { send } from '@rookery/test-world/raw-request'
import { emptyList, faultsIn, flag, integer, listOf, moment, nothing, nullable, object, oneOf, text, url } from '@rookery/test-world/shape'
import { encode } from 'blurhash'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

// The instance documents (spec, Instance; beyond-the-spec 1.2, 3.2, 3.3).

const SETTINGS = {
  INSTANCE_TITLE: 'The Rookery',
  INSTANCE_DESCRIPTION: 'A tree full of talk',
  INSTANCE_EXTENDED_DESCRIPTION: 'Be kind.\n\nAlways.',
  INSTANCE_CONTACT_EMAIL: 'mara@rookery.example',
  INSTANCE_CONTACT_ACCOUNT: '@mara',
  INSTANCE_LANGUAGES: 'en, de',
  INSTANCE_RULES: 'Be kind\nNo selling',
}

let world: World
let mara: Person
beforeAll(async () => {
  world = await World.open({ settings: SETTINGS })
  mara = await world.person('mara')
  await mara.says('one')
  await mara.says('two')
  await world.idle()
})
afterAll(() => world.close())

const account = (value: unknown, at: string) => (String((value as { id?: unknown })?.id) === mara.id ? [] : [`${at} should be Mara`])
const rules = listOf(object({ id: text, text, hint: text, translations: object({}) }))
const limits = {
  accounts: object({
    max_featured_tags: oneOf(10),
    max_pinned_statuses: oneOf(5),
    max_profile_fields: oneOf(4),
    profile_field_name_limit: oneOf(255),
    profile_field_value_limit: oneOf(255),
  }),
  statuses: object({ max_characters: oneOf(500), max_media_attachments: oneOf(4), characters_reserved_per_url: oneOf(23) }),
  media_attachments: object({
    supported_mime_types: listOf(text),
    description_limit: oneOf(1500),
    image_size_limit: oneOf(16_777_216),
    image_matrix_limit: oneOf(33_177_600),
    video_size_limit: oneOf(103_809_024),
    video_frame_rate_limit: oneOf(120),
    video_matrix_limit: oneOf(8_294_400),
  }),
  polls: object({
    max_options: oneOf(4),
    max_characters_per_option: oneOf(50),
    min_expiration: oneOf(300),
    max_expiration: oneOf(2_629_746),
  }),
}

const feedAccess = object({ local: oneOf('public'), remote: oneOf('public') })

const instance = object({
  domain: text,
  title: text,
  version: text,
  api_versions: object({ mastodon: oneOf(7) }),
  source_url: url,
  description: text,
  usage: object({ users: object({ active_month: integer }) }),
  thumbnail: object({ url, description: text, blurhash: nullable(text), versions: object({ '@1x': url, '@2x': url }) }),
  icon: emptyList,
  languages: listOf(text),
  configuration: object({
    urls: object({ streaming: text, status: nothing, about: url, privacy_policy: url, terms_of_service: nullable(url) }),
    ...limits,
    vapid: object({ public_key: text }),
    translation: object({ enabled: oneOf(false) }),
    timelines_access: object({ live_feeds: feedAccess, hashtag_feeds: feedAccess, trending_link_feeds: feedAccess }),
    limited_federation: oneOf(false),
  }),
  registrations: object({
    enabled: flag,
    approval_required: flag,
    reason_required: flag,
    message: nullable(text),
    min_age: nothing,
    url: nothing,
  }),
  contact: object({ email: text, account }),
  rules,
})

const instanceV1 = object({
  uri: text,
  title: text,
  short_description: text,
  description: text,
  email: text,
  version: text,
  urls: object({ streaming_api: text }),
  stats: object({ user_count: integer, status_count: integer, domain_count: integer }),
  thumbnail: url,
  languages: listOf(text),
  registrations: flag,
  approval_required: flag,
  invites_enabled: flag,
  max_toot_chars: oneOf(500),
  configuration: object(limits),
  contact_account: account,
  rules,
})

const get = async (path: string) => {
  const answer = await world.get(path)
  expect(answer.status).toBe(200)
  return answer.body
}

describe('the instance', () => {
  test('has every key, in both versions', async () => {
    expect(faultsIn(await get('/api/v2/instance'), instance)).toEqual([])
    expect(faultsIn(await get('/api/v1/instance'), instanceV1)).toEqual([])
  })

  test('says what it was set to say', async () => {
    const said = { title: 'The Rookery', languages: ['en', 'de'], rules: [{ text: 'Be kind' }, { text: 'No selling' }] }
    expect(await get('/api/v2/instance')).toMatchObject({
      ...said,
      domain: new URL(world.origin).host,
      description: 'A tree full of talk',
      contact: { email: 'mara@rookery.example' },
    })
    expect(await get('/api/v1/instance')).toMatchObject({
      ...said,
      uri: new URL(world.origin).host,
      short_description: 'A tree full of talk',
      email: 'mara@rookery.example',
      stats: { user_count: 1, status_count: 2, domain_count: 0 },
    })
  })

  test('has a version that clients can read, the same everywhere', async () => {
    const { version } = await get('/api/v2/instance')
    expect(version).toMatch(/^\d+\.\d+\.\d+\+rookery-\d+\.\d+\.\d+$/)
    expect((await get('/api/v1/instance')).version).toBe(version)
    expect((await get('/nodeinfo/2.0')).software.version).toBe(version)
  })

  test('leads to streams without a path, as clients put it on', async () => {
    const wanted = world.origin.replace(/^http/, 'ws')
    expect((await get('/api/v2/instance')).configuration.urls.streaming).toBe(wanted)
    expect((await get('/api/v1/instance')).urls.streaming_api).toBe(wanted)
  })

  test('takes every type of picture it names', async () => {
    const types: string[] = (await get('/api/v2/instance')).configuration.media_attachments.supported_mime_types
    expect(types).toEqual(expect.arrayContaining(['image/jpeg', 'image/png', 'image/gif', 'image/webp']))
  })

  test('shows a picture', async () => {
    const { url, blurhash, versions } = (await get('/api/v2/instance')).thumbnail
    expect(versions['@1x']).toBe(url)
    const sizeOf = async (address: string) => {
      const answer = await fetch(new URL(new URL(address).pathname, world.origin))
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
      return sharp(Buffer.from(await answer.arrayBuffer()))
    }
    const small = await sizeOf(url)
    expect(await small.metadata()).toMatchObject({ width: 600, height: 315 })
    expect(await (await sizeOf(versions['@2x'])).metadata()).toMatchObject({ width: 1200, height: 630 })
    const { data, info } = await small.ensureAlpha().resize(64, 64, { fit: 'inside' }).raw().toBuffer({ resolveWithObject: true })
    expect(blurhash).toBe(encode(new Uint8ClampedArray(data), info.width, info.height, 4, 3))
    expect((await get('/api/v1/instance')).thumbnail).toBe(url)
  })

  test('says who may sign up', async () => {
    expect((await get('/api/v2/instance')).registrations).toMatchObject({ enabled: true, approval_required: false, reason_required: false })
    const strict = await World.open({ settings: { REGISTRATIONS: 'approval' } })
    try {
      const { registrations } = (await strict.get('/api/v2/instance')).body
      expect(registrations).toMatchObject({ enabled: true, approval_required: true, reason_required: true })
      expect((await strict.get('/api/v1/instance')).body).toMatchObject({
        registrations: true,
        approval_required: true,
        contact_account: null,
      })
      expect((await strict.get('/nodeinfo/2.0')).body.openRegistrations).toBe(false)
    } finally {
      await strict.close()
    }
  })
})

describe('of itself', () => {
  test('it tells rules and more', async () => {
    expect(faultsIn(await get('/api/v1/instance/rules'), rules)).toEqual([])
    const more = await get('/api/v1/instance/extended_description')
    expect(faultsIn(more, object({ updated_at: moment, content: text }))).toEqual([])
    expect(more.content).toBe('<p>Be kind.</p>\n<p>Always.</p>')
  })

  test('it has a privacy policy, which says what is stored until the operator writes one', async () => {
    const policy = await get('/api/v1/instance/privacy_policy')
    expect(faultsIn(policy, object({ updated_at: text, content: text }))).toEqual([])
    expect(policy.updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(policy.content).toMatch(/^<p>This is what the software of this server stores.*<\/p>\n<h2>What is stored<\/h2>\n<ul>\n<li>/)
    const { urls } = (await get('/api/v2/instance')).configuration
    expect(urls).toMatchObject({ about: `${world.origin}/about`, privacy_policy: `${world.origin}/privacy-policy` })
  })

  test('its long description has no date while there is none', async () => {
    const silent = await World.open()
    onTestFinished(() => silent.close())
    expect((await silent.get('/api/v1/instance/extended_description')).body).toEqual({ updated_at: null, content: '' })
  })

  test('it tells three months of activity, a week each', async () => {
    const weeks = await get('/api/v1/instance/activity')
    const number = (value: unknown, at: string) =>
      /^\d+$/.test(String(value)) && typeof value === 'string' ? [] : [`${at} is no number in a text`]
    expect(faultsIn(weeks, listOf(object({ week: number, statuses: number, logins: number, registrations: number })))).toEqual([])
    expect(weeks).toHaveLength(12)
    expect(weeks[0]).toMatchObject({ statuses: '2', registrations: '1' })
    const starts: number[] = weeks.map(({ week }: { week: string }) => Number(week))
    expect(starts.every((start, index) => new Date(start * 1000).getUTCDay() === 1 && start === starts[0]! - index * 604_800)).toBe(true)
    expect(starts[0]! * 1000).toBeLessThanOrEqual(world.clock.now())
  })

  test('it counts who used it, whether or not they posted or filled in the form', async () => {
    const lively = await World.open()
    onTestFinished(() => lively.close())
    const counts = async () => {
      const { usage } = (await lively.get('/api/v2/instance')).body
      const { users } = (await lively.get('/nodeinfo/2.0')).body.usage
      const [week] = (await lively.get('/api/v1/instance/activity')).body
      return [usage.users.active_month, users.activeMonth, users.activeHalfyear, week.logins]
    }
    const { mara } = await lively.cast('mara', 'joel')
    expect(await counts()).toEqual([0, 0, 0, '0'])
    await mara.home()
    expect(await counts()).toEqual([1, 1, 1, '1'])
    lively.clock.advance(31 * 86_400_000)
    expect(await counts()).toEqual([0, 0, 1, '0'])
  })

  test('it tells whom it knows and whom it blocks', async () => {
    expect(await get('/api/v1/instance/peers')).toEqual([])
    expect(await get('/api/v1/instance/domain_blocks')).toEqual([])
    await query(world, `insert into federation.domain_block (domain, severity, public_comment) values ('spam.example', 'suspend', 'spam')`)
    const blocks = await get('/api/v1/instance/domain_blocks')
    expect(faultsIn(blocks, listOf(object({ domain: text, digest: text, severity: oneOf('silence', 'suspend'), comment: text })))).toEqual(
      [],
    )
    expect(blocks).toMatchObject([{ domain: 'spam.example', severity: 'suspend', comment: 'spam' }])
    expect(blocks[0].digest).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('nodeinfo', () => {
  test('is where its links lead', async () => {
    const links = await get('/.well-known/nodeinfo')
    const linkTo = (version: string) => ({
      rel: `http://nodeinfo.diaspora.software/ns/schema/${version}`,
      href: `${world.origin}/nodeinfo/${version}`,
    })
    expect(links).toEqual({ links: [linkTo('2.0'), linkTo('2.1')] })
    expect((await get('/nodeinfo/2.1')).version).toBe('2.1')
    const info = await get(new URL(links.links[0].href).pathname)
    const users = object({ total: integer, activeMonth: integer, activeHalfyear: integer })
    const shape = object({
      version: oneOf('2.0'),
      software: object({ name: oneOf('rookery'), version: text }),
      protocols: listOf(oneOf('activitypub')),
      services: object({ inbound: emptyList, outbound: emptyList }),
      usage: object({ users, localPosts: integer }),
      openRegistrations: flag,
      metadata: object({ nodeName: text, nodeDescription: text, upstream: object({ name: oneOf('mastodon') }) }),
    })
    expect(faultsIn(info, shape)).toEqual([])
    expect(info).toMatchObject({ protocols: ['activitypub'], usage: { users: { total: 1 }, localPosts: 2 }, openRegistrations: true })
    expect(info.metadata).toMatchObject({ nodeName: 'The Rookery', nodeDescription: 'A tree full of talk' })
  })

  test('names the software as it was set', async () => {
    const named = await World.open({ settings: { SOFTWARE_NAME: 'mastodon' } })
    try {
      expect((await named.get('/nodeinfo/2.0')).body.software.name).toBe('mastodon')
    } finally {
      await named.close()
    }
  })
})

describe('password managers are led', () => {
  test('to the page where a password is changed, which there is', async () => {
    const answer = await fetch(`${world.origin}/.well-known/change-password`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `${world.origin}/auth/account/password`])
    expect((await fetch(`${world.origin}/auth/account/password`)).status).toBe(200)
  })

  test('to the pages where passkeys are added and managed', async () => {
    const { body } = await world.get('/.well-known/passkey-endpoints')
    expect(body).toEqual({ enroll: `${world.origin}/auth/account/passkeys/new`, manage: `${world.origin}/auth/account/passkeys` })
    for (const page of [body.enroll, body.manage]) expect((await fetch(page)).status).toBe(200)
  })
})

describe('people are found', () => {
  test('by the way host-meta shows', async () => {
    const { headers, text: document } = await world.get('/.well-known/host-meta')
    expect(headers.get('content-type')).toMatch(/^application\/xrd\+xml/)
    const template = /<Link rel="lrdd" template="([^"]+)"\/>/.exec(document)?.[1] ?? ''
    expect(template).toBe(`${world.origin}/.well-known/webfinger?resource={uri}`)
    const found = await world.get(
      template.replace(world.origin, '').replace('{uri}', encodeURIComponent(`acct:mara@${new URL(world.origin).host}`)),
    )
    expect(found.status).toBe(200)
  })

  const finger = (resource: string) => world.get(`/.well-known/webfinger?resource=${encodeURIComponent(resource)}`)

  test('by handle and by the addresses of their profile', async () => {
    const { host } = new URL(world.origin)
    const profile = `${world.origin}/@mara`
    for (const resource of [
      `acct:mara@${host}`,
      `mara@${host}`,
      `acct:MARA@${host}`,
      profile,
      `${profile}/`,
      `${world.origin}/users/mara`,
    ]) {
      const { status, headers, body } = await finger(resource)
      expect({ resource, status }).toEqual({ resource, status: 200 })
      expect(headers.get('content-type')).toBe('application/jrd+json; charset=utf-8')
      const actor = `${world.origin}/users/mara`
      expect(body).toEqual({
        subject: `acct:mara@${host}`,
        aliases: [profile, actor],
        links: [
          { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: profile },
          { rel: 'self', type: 'application/activity+json', href: actor },
          { rel: 'http://ostatus.org/schema/1.0/subscribe', template: `${world.origin}/authorize_interaction?uri={uri}` },
        ],
      })
    }
  })

  test('with their picture, as long as they are not suspended', async () => {
    const nora = await world.person('nora')
    const picture = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
    const { avatar } = (await nora.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { avatar: picture } })).body
    const pictures = async () => {
      const { body } = await finger(`acct:nora@${new URL(world.origin).host}`)
      return body.links.filter(({ rel }: { rel: string }) => rel === 'http://webfinger.net/rel/avatar')
    }
    expect(await pictures()).toEqual([{ rel: 'http://webfinger.net/rel/avatar', href: avatar }])
    const call = callWithin(30, 'suspends')
    await world.operator().setSuspended(call, { username: 'nora', isSuspended: true })
    expect(await pictures()).toEqual([])
  })

  test('as activity JSON by the addresses of their pages', async () => {
    const asked = async (path: string, accept: string) => {
      const answer = await fetch(`${world.origin}${path}`, { headers: { Accept: accept }, redirect: 'manual' })
      return [answer.status, answer.headers.get('location')]
    }
    expect(await asked('/@mara', 'application/activity+json')).toEqual([302, `${world.origin}/users/mara`])
    expect(await asked('/@mara/7', 'application/ld+json')).toEqual([302, `${world.origin}/users/mara/statuses/7`])
    expect((await asked('/@mara', 'text/html'))[0]).toBe(200)
    expect(await asked('/users/mara', 'text/html')).toEqual([302, `${world.origin}/@mara`])
    expect(await asked('/users/mara/statuses/7', 'text/html')).toEqual([302, `${world.origin}/@mara/7`])
  })

  test('and the server itself, with its key', async () => {
    const { host, hostname } = new URL(world.origin)
    const actor = `${world.origin}/actor`
    expect((await finger(`acct:${hostname}@${host}`)).body.aliases).toEqual([actor])
    expect((await finger(actor)).body.links).toEqual([{ rel: 'self', type: 'application/activity+json', href: actor }])
    const document = (await world.asks('GET', '/actor', { headers: { Accept: 'application/activity+json' } })).body
    expect(document).toMatchObject({
      id: actor,
      type: 'Application',
      preferredUsername: hostname,
      publicKey: { id: `${actor}#main-key`, owner: actor },
    })
    expect(document.publicKey.publicKeyPem).toMatch(/^-----BEGIN PUBLIC KEY-----/)
  })

  test('and no one else is', async () => {
    const { host } = new URL(world.origin)
    const strangers = [
      `acct:nobody@${host}`,
      'acct:mara@elsewhere.example',
      'https://elsewhere.example/@mara',
      `${world.origin}/tags/mara`,
      `acct:@${host}`,
    ]
    for (const stranger of strangers) expect({ stranger, status: (await finger(stranger)).status }).toEqual({ stranger, status: 404 })
    for (const malformed of ['', 'mara', 'a b c'])
      expect({ malformed, status: (await finger(malformed)).status }).toEqual({ malformed, status: 400 })
  })
})

test('people and posts are counted whose login is disabled, and none of suspended people or those who wait', async () => {
  const { rose, sam } = await world.cast('rose', 'sam')
  for (const person of [rose, sam]) await person.says('three')
  const counted = async () => {
    await world.advance(61_000)
    const { stats } = (await world.get('/api/v1/instance')).body
    const { usage } = (await world.get('/nodeinfo/2.0')).body
    return [stats.user_count, stats.status_count, usage.users.total, usage.localPosts]
  }
  const [people, posts] = (await counted()) as [number, number]
  const everyone = [people, posts, people, posts]
  const operator = world.operator()
  await operator.setDisabled(innerCall(), { username: 'rose', isDisabled: true })
  expect(await counted()).toEqual(everyone)
  await operator.setSuspended(innerCall(), { username: 'sam', isSuspended: true })
  expect(await counted()).toEqual([people - 1, posts - 1, people - 1, posts - 1])
  await operator.setSuspended(innerCall(), { username: 'sam', isSuspended: false })
  expect(await counted()).toEqual(everyone)
})

test('rules of the settings that staff remove stay removed, the last one too', async () => {
  const settings = innerClient(world, InstanceSettingsDefinition)
  for (const { id } of (await world.get('/api/v1/instance/rules')).body) await settings.deleteRule(innerCall(), { id, staffId: '' })
  expect((await world.get('/api/v1/instance/rules')).body).toEqual([])
  for (const version of ['v1', 'v2']) expect((await world.get(`/api/${version}/instance`)).body.rules).toEqual([])
  const { rules: added } = await settings.createRule(innerCall(), { text: 'Sing', hint: '', staffId: '' })
  expect(added.map(({ text }) => text)).toEqual(['Sing'])
})

test('the server says that it is up', async () => {
  const answer = await send(world.origin, { path: '/health' })
  expect(answer).toMatchObject({ status: 200, text: 'OK', headers: { 'content-type': 'text/plain; charset=utf-8' } })
})
