import { type Person, World } from '@rookery/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  day,
  emptyList,
  faultsIn,
  flag,
  id,
  integer,
  listOf,
  midnight,
  moment,
  nothing,
  nullable,
  number,
  object,
  oneOf,
  type Shape,
  text,
  url,
} from './shape.ts'

// Entities as the contract has them, each key and its type (spec, Resources; beyond-the-spec 1.1).

const ACCOUNT = {
  id,
  username: text,
  acct: text,
  display_name: text,
  locked: flag,
  bot: flag,
  group: flag,
  discoverable: nullable(flag),
  indexable: flag,
  noindex: flag,
  created_at: midnight,
  note: text,
  url,
  uri: url,
  avatar: url,
  avatar_static: url,
  header: url,
  header_static: url,
  followers_count: integer,
  following_count: integer,
  statuses_count: integer,
  last_status_at: nullable(day),
  hide_collections: nullable(flag),
  emojis: emptyList,
  roles: listOf(object({ id: text, name: text, color: text })),
  fields: listOf(object({ name: text, value: text, verified_at: nullable(moment) })),
}
const account = object(ACCOUNT)

const credentialAccount = object({
  ...ACCOUNT,
  source: object({
    privacy: oneOf('public', 'unlisted', 'private'),
    sensitive: flag,
    language: nullable(text),
    note: text,
    fields: listOf(object({ name: text, value: text, verified_at: nullable(moment) })),
    follow_requests_count: integer,
    hide_collections: nullable(flag),
    discoverable: nullable(flag),
    indexable: flag,
    attribution_domains: listOf(text),
    quote_policy: oneOf('public', 'followers', 'nobody'),
  }),
  role: object({ id: text, name: text, permissions: text, color: text, highlighted: flag }),
})

const size = object({ width: integer, height: integer, size: text, aspect: number })
const mediaAttachment = object({
  id,
  type: oneOf('image', 'gifv', 'video', 'audio', 'unknown'),
  url: nullable(url),
  preview_url: nullable(url),
  remote_url: nullable(url),
  preview_remote_url: nullable(url),
  text_url: nullable(url),
  meta: object({}, { focus: object({ x: number, y: number }), original: size, small: size }),
  description: nullable(text),
  blurhash: nullable(text),
})

const STATUS = {
  id,
  created_at: moment,
  in_reply_to_id: nullable(id),
  in_reply_to_account_id: nullable(id),
  sensitive: flag,
  spoiler_text: text,
  visibility: oneOf('public', 'unlisted', 'private', 'direct'),
  language: nullable(text),
  uri: url,
  url,
  replies_count: integer,
  reblogs_count: integer,
  favourites_count: integer,
  quotes_count: integer,
  edited_at: nullable(moment),
  content: text,
  reblog: nothing as Shape,
  application: nullable(object({ name: text, website: nullable(url) })),
  account,
  media_attachments: listOf(mediaAttachment),
  mentions: listOf(object({ id, username: text, url, acct: text })),
  tags: listOf(object({ name: text, url })),
  emojis: emptyList,
  card: nothing,
  poll: nothing,
  quote: nothing,
  quote_approval: object({ automatic: emptyList, manual: emptyList, current_user: oneOf('denied') }),
}
const FLAGS = { favourited: flag, reblogged: flag, muted: flag, bookmarked: flag, filtered: emptyList }
const anonymousStatus = object(STATUS)
const status = object({ ...STATUS, ...FLAGS })
const ownStatus = object({ ...STATUS, ...FLAGS, pinned: flag })
const boostOf = (reblog: Shape) => object({ ...STATUS, ...FLAGS, reblog })

const relationship = object({
  id,
  following: flag,
  showing_reblogs: flag,
  notifying: flag,
  languages: nullable(listOf(text)),
  followed_by: flag,
  blocking: flag,
  blocked_by: flag,
  muting: flag,
  muting_notifications: flag,
  requested: flag,
  requested_by: flag,
  domain_blocking: flag,
  endorsed: flag,
  note: text,
})

const notification = object(
  { id, type: text, created_at: moment, group_key: text, account },
  { status: object({ ...STATUS, ...FLAGS }, { pinned: flag }) },
)

const application = {
  id,
  name: text,
  website: nullable(url),
  scopes: listOf(text),
  redirect_uris: listOf(text),
  redirect_uri: text,
}

let world: World
let mara: Person
let joel: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel } = await world.cast('mara', 'joel'))
  await joel.follows(mara)
  await mara.asks('PATCH', '/api/v1/accounts/update_credentials', {
    body: { note: 'a #note by @joel', fields_attributes: [{ name: 'site', value: 'https://example.org' }], source: { language: 'en' } },
  })
  await world.settle()
})
afterAll(() => world.close())

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const uploaded = async (fields: Record<string, string> = {}) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new File([PIXEL], 'pixel.png', { type: 'image/png' }))
  return (await mara.asks('POST', '/api/v2/media', { body: form })).body
}

describe('an account', () => {
  test('has every key, whoever asks', async () => {
    for (const asker of [world, mara, joel]) expect(faultsIn((await asker.get(`/api/v1/accounts/${mara.id}`)).body, account)).toEqual([])
    expect(faultsIn((await world.get('/api/v1/accounts/lookup?acct=mara')).body, account)).toEqual([])
    expect(faultsIn((await world.get(`/api/v1/accounts/${mara.id}/followers`)).body, listOf(account))).toEqual([])
  })

  test('has addresses as clients parse them, and default pictures', async () => {
    expect((await world.get(`/api/v1/accounts/${joel.id}`)).body).toMatchObject({
      acct: 'joel',
      url: `${world.origin}/@joel`,
      avatar: `${world.origin}/avatars/original/missing.png`,
      avatar_static: `${world.origin}/avatars/original/missing.png`,
      header: `${world.origin}/headers/original/missing.png`,
    })
  })

  test('muted says until when', async () => {
    await joel.does('mute', mara, { duration: 3600 })
    expect(faultsIn((await joel.get('/api/v1/mutes')).body, listOf(object({ ...ACCOUNT, mute_expires_at: moment })))).toEqual([])
    await joel.does('mute', mara)
    expect(faultsIn((await joel.get('/api/v1/mutes')).body, listOf(object({ ...ACCOUNT, mute_expires_at: nothing })))).toEqual([])
    await joel.does('unmute', mara)
  })

  test('of oneself has its source and role', async () => {
    const { body } = await mara.get('/api/v1/accounts/verify_credentials')
    expect(faultsIn(body, credentialAccount)).toEqual([])
    expect(body.source).toMatchObject({
      note: 'a #note by @joel',
      fields: [{ name: 'site', value: 'https://example.org' }],
      language: 'en',
    })
    expect(body.role).toEqual({ id: '-99', name: '', permissions: '65536', color: '', highlighted: false })
    const changed = await mara.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'Mara' } })
    expect(faultsIn(changed.body, credentialAccount)).toEqual([])
    expect(changed.body.display_name).toBe('Mara')
  })

  test('of oneself counts who asks to follow at once', async () => {
    const asked = await world.person('asked')
    await asked.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { locked: true } })
    const count = async () => (await asked.get('/api/v1/accounts/verify_credentials')).body.source.follow_requests_count
    expect(await count()).toBe(0)
    await joel.follows(asked)
    expect(await count()).toBe(1)
    await asked.post(`/api/v1/follow_requests/${joel.id}/authorize`)
    expect(await count()).toBe(0)
  })

  test('of staff has a role that may do more', async () => {
    const owner = await world.person('rosa', { role: 'owner' })
    const { body } = await owner.get('/api/v1/accounts/verify_credentials')
    expect(faultsIn(body, credentialAccount)).toEqual([])
    expect(body.role).toMatchObject({ id: '3', name: 'Owner', highlighted: true })
    expect(BigInt(body.role.permissions) & 0x21n).toBe(0x21n)
  })
})

describe('a status', () => {
  test('of one’s own has every key', async () => {
    expect(faultsIn(await mara.says('tea'), ownStatus)).toEqual([])
    expect(faultsIn(await mara.says('tea', { visibility: 'private', spoiler_text: 'hot', language: 'en' }), ownStatus)).toEqual([])
  })

  test('has a viewer’s flags for a viewer alone', async () => {
    const { id: said } = await mara.says('tea')
    expect(faultsIn((await mara.get(`/api/v1/statuses/${said}`)).body, ownStatus)).toEqual([])
    expect(faultsIn((await joel.get(`/api/v1/statuses/${said}`)).body, status)).toEqual([])
    expect(faultsIn((await world.get(`/api/v1/statuses/${said}`)).body, anonymousStatus)).toEqual([])
  })

  test('that nobody may pin does not say whether it is pinned', async () => {
    expect(faultsIn(await mara.says('to @joel', { visibility: 'direct' }), status)).toEqual([])
  })

  test('with pictures, mentions and tags has theirs', async () => {
    const media = await uploaded({ description: 'a dot', focus: '0.5,-1' })
    const said = await mara.says('for @joel #Tea', { media_ids: [media.id] })
    expect(faultsIn(said, ownStatus)).toEqual([])
    expect(said.media_attachments).toMatchObject([
      { id: media.id, type: 'image', description: 'a dot', meta: { focus: { x: 0.5, y: -1 } } },
    ])
    expect(said.mentions).toEqual([{ id: joel.id, username: 'joel', url: `${world.origin}/@joel`, acct: 'joel' }])
    expect(said.tags).toEqual([{ name: 'tea', url: `${world.origin}/tags/tea` }])
  })

  test('boosted is whole within its boost, which is empty itself', async () => {
    const said = await mara.says('boost me @joel #tea')
    const boost = await joel.reacts('reblog', said)
    expect(faultsIn(boost, boostOf(status))).toEqual([])
    expect(boost).toMatchObject({ content: '', spoiler_text: '', media_attachments: [], mentions: [], tags: [], account: { id: joel.id } })
    expect(boost.reblog).toMatchObject({ id: said.id, reblogged: true, reblogs_count: 1, account: { id: mara.id } })
    expect(boost.uri).toBe(`${world.origin}/users/joel/statuses/${boost.id}/activity`)
    expect(boost.url).toBe(boost.uri)
    const seen = (await world.get(`/api/v1/accounts/${joel.id}/statuses`)).body
    expect(faultsIn(seen, listOf(object({ ...STATUS, reblog: anonymousStatus })))).toEqual([])
  })

  test('names the app it was written with', async () => {
    const app = await world.asks('POST', '/api/v1/apps', {
      body: { client_name: 'Tea Time', redirect_uris: 'tea://', website: 'https://tea.example/', scopes: 'write' },
    })
    expect(app.body.website).toBe('https://tea.example/')
    expect((await mara.says('by the command')).application).toEqual(expect.toBeOneOf([null, { name: expect.any(String), website: null }]))
  })

  test('deleted gives back its text instead of its content', async () => {
    const media = await uploaded()
    const said = await mara.says('for *later* <b>', { media_ids: [media.id] })
    const { body } = await mara.asks('DELETE', `/api/v1/statuses/${said.id}`)
    const { content: _content, ...rest } = STATUS
    expect(faultsIn(body, object({ ...rest, ...FLAGS, text }, { pinned: flag }))).toEqual([])
    expect(body).toMatchObject({ text: 'for *later* <b>', media_attachments: [{ id: media.id }] })
  })

  test('has its thread in two lists', async () => {
    const first = await mara.says('first')
    const second = await joel.says('second', { in_reply_to_id: first.id })
    await mara.says('third', { in_reply_to_id: second.id })
    const { body } = await mara.get(`/api/v1/statuses/${second.id}/context`)
    expect(faultsIn(body, object({ ancestors: listOf(ownStatus), descendants: listOf(ownStatus) }))).toEqual([])
    expect([body.ancestors.length, body.descendants.length]).toEqual([1, 1])
  })
})

describe('addresses in a text', () => {
  const hrefs = (content: string, kind: string) =>
    [...content.matchAll(/<a href="([^"]+)" class="([^"]+)"/g)].filter(([, , name]) => name === kind).map(([, href]) => href)

  test.each(['#tea', '#Tea', '#TEA', '#Grüße', '#Ελλάδα', '#日本語', '#ЧАЙ', '#a·b', '#tea_time2', '#ﬁre', '#ＴＥＡ'])(
    'of the tag %s are the tag’s own',
    async (tag) => {
      const said = await mara.says(`about ${tag}!`)
      expect(faultsIn(said, ownStatus)).toEqual([])
      expect(said.tags).toHaveLength(1)
      const [href = ''] = hrefs(said.content, 'mention hashtag')
      expect(href.toLowerCase()).toBe(said.tags[0].url.toLowerCase())
      expect(href).toMatch(/^[!-~]+$/)
      const found = await world.get(`/api/v1/timelines/tag/${href.slice(href.lastIndexOf('/') + 1)}`)
      expect(found.body[0].id).toBe(said.id)
    },
  )

  test('of mentions are those of the mentioned', async () => {
    const said = await mara.says('to @joel, @JOEL and @mara')
    const addressed = said.mentions.map(({ url: address }: { url: string }) => address)
    expect(addressed).toEqual(expect.arrayContaining([`${world.origin}/@joel`]))
    expect(new Set(hrefs(said.content, 'u-url mention'))).toEqual(new Set(addressed))
  })
})

test('a picture has every key', async () => {
  const media = await uploaded({ description: 'a dot' })
  expect(faultsIn(media, mediaAttachment)).toEqual([])
  expect(media).toMatchObject({ type: 'image', url: expect.stringContaining(world.origin), description: 'a dot' })
  expect(media.meta.original).toEqual({ width: 1, height: 1, size: '1x1', aspect: 1 })
  expect(media.blurhash).toMatch(/^.{6,}$/)
  expect(faultsIn((await mara.get(`/api/v1/media/${media.id}`)).body, mediaAttachment)).toEqual([])
  const described = await mara.asks('PUT', `/api/v1/media/${media.id}`, { body: { description: '' } })
  expect(faultsIn(described.body, mediaAttachment)).toEqual([])
  expect(described.body.description).toBeNull()
})

test('a relationship has every key, whatever it is', async () => {
  const { noor } = await world.cast('noor')
  await noor.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { locked: true } })
  const asked = await mara.follows(noor, { languages: ['de'] })
  expect(faultsIn(asked, relationship)).toEqual([])
  expect(asked).toMatchObject({ following: false, requested: true })
  expect(await joel.follows(noor)).toMatchObject({ requested: true })
  expect((await noor.get(`/api/v1/accounts/relationships?id=${joel.id}`)).body).toMatchObject([{ requested_by: true }])
  for (const act of ['block', 'unblock', 'mute', 'unmute', 'unfollow'])
    expect(faultsIn(await mara.does(act, noor), relationship)).toEqual([])
  const { body } = await mara.get(`/api/v1/accounts/relationships?id[]=${joel.id}&id[]=${mara.id}&id[]=1`)
  expect(faultsIn(body, listOf(relationship))).toEqual([])
  expect(body.map((each: { id: string }) => each.id)).toEqual([joel.id, mara.id])
})

test('notifications of every type have what their type carries', async () => {
  const { ines, omar } = await world.cast('ines', 'omar')
  await ines.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { locked: true } })
  await omar.follows(ines)
  await omar.says('@ines look')
  const said = await ines.says('look at this', { visibility: 'public' })
  await omar.reacts('favourite', said)
  await omar.reacts('reblog', said)
  await ines.post(`/api/v1/follow_requests/${omar.id}/authorize`)
  await world.settle()
  const told = await ines.notifications()
  expect(faultsIn(told, listOf(notification))).toEqual([])
  const byType = new Map(told.map((each) => [each.type, each]))
  expect([...byType.keys()].sort()).toEqual(['favourite', 'follow', 'mention', 'reblog'])
  for (const [type, each] of byType) {
    expect({ type, hasStatus: 'status' in each }).toEqual({ type, hasStatus: type !== 'follow' })
    expect(each).toMatchObject({ account: { id: omar.id }, group_key: expect.stringMatching(/./) })
    expect(faultsIn((await ines.get(`/api/v1/notifications/${each.id}`)).body, notification)).toEqual([])
  }
  expect(byType.get('reblog')?.status).toMatchObject({ id: said.id, reblog: null })
})

test('an app has every key, its secrets for itself alone', async () => {
  const body = { client_name: 'Tea', redirect_uris: ['tea://done', 'urn:ietf:wg:oauth:2.0:oob'], scopes: 'read write' }
  const registered = (await world.asks('POST', '/api/v1/apps', { body })).body
  const secrets = { client_id: text, client_secret: text, client_secret_expires_at: oneOf(0) }
  expect(faultsIn(registered, object({ ...application, ...secrets }))).toEqual([])
  expect(registered).toMatchObject({ redirect_uris: body.redirect_uris, redirect_uri: body.redirect_uris.join('\n'), website: null })
  const { client_id, client_secret } = registered
  const grant = { grant_type: 'client_credentials', client_id, client_secret, redirect_uri: 'tea://done', scope: 'read' }
  const token = (await world.asks('POST', '/oauth/token', { body: grant })).body
  expect(faultsIn(token, object({ access_token: text, token_type: oneOf('Bearer'), scope: oneOf('read'), created_at: integer }))).toEqual(
    [],
  )
  expect(token.access_token).toMatch(/^[\w-]+$/)
  const own = await world.asks('GET', '/api/v1/apps/verify_credentials', { token: token.access_token })
  expect(faultsIn(own.body, object(application))).toEqual([])
})

test('what returns nothing returns an empty object', async () => {
  await joel.says('hello @mara')
  await world.settle()
  const [first] = await mara.notifications()
  expect((await mara.post(`/api/v1/notifications/${first.id}/dismiss`)).body).toEqual({})
  expect((await mara.post('/api/v1/notifications/clear')).body).toEqual({})
  expect(await mara.notifications()).toEqual([])
})
