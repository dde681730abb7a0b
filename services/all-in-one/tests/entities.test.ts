import { type Person, World } from '@rookery/test-world'
import { announced, announces, importsEmoji, reacts } from '@rookery/test-world/announcing'
import {
  ACCOUNT,
  account,
  announcement,
  anonymousBoost,
  anonymousStatus,
  application,
  boostOf,
  credentialAccount,
  credentialApplication,
  FLAGS,
  featuredTag,
  filter,
  filterKeyword,
  filterStatus,
  filterV1,
  list,
  marker,
  mediaAttachment,
  notification,
  ownStatus,
  relationship,
  STATUS,
  status,
  tag,
  token,
  viewedTag,
} from '@rookery/test-world/contract'
import { faultsIn, flag, listOf, matching, moment, nothing, object, text } from '@rookery/test-world/shape'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

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
  await world.idle()
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
  test('has every key, no matter who asks', async () => {
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

describe('a filter', () => {
  test('has its keywords and statuses, and shows on what it fits', async () => {
    const { id: said } = await mara.says('filtered tea')
    const made = await joel.post('/api/v2/filters', { title: 'tea', context: ['home'], keywords_attributes: [{ keyword: 'filtered tea' }] })
    expect(faultsIn(made.body, filter)).toEqual([])
    const path = `/api/v2/filters/${made.body.id}`
    expect(faultsIn((await joel.post(`${path}/statuses`, { status_id: said })).body, filterStatus)).toEqual([])
    expect(faultsIn((await joel.post(`${path}/keywords`, { keyword: 'coffee' })).body, filterKeyword)).toEqual([])
    expect(faultsIn((await joel.get('/api/v2/filters')).body, listOf(filter))).toEqual([])
    expect(faultsIn((await joel.get('/api/v1/filters')).body, listOf(filterV1))).toEqual([])
    const seen = (await joel.get(`/api/v1/statuses/${said}`)).body
    expect([seen.filtered.length, faultsIn(seen, status)]).toEqual([1, []])
    await joel.asks('DELETE', path)
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

  test('that no one may pin does not say whether it is pinned', async () => {
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
    expect(faultsIn(seen, listOf(anonymousBoost))).toEqual([])
  })

  test('names the app it was written with', async () => {
    const app = await world.asks('POST', '/api/v1/apps', {
      body: { client_name: 'Tea Time', redirect_uris: 'tea://', website: 'https://tea.example/', scopes: 'write' },
    })
    expect(app.body.website).toBe('https://tea.example/')
    expect((await mara.says('by the command')).application).toEqual(expect.toBeOneOf([null, { name: expect.any(String), website: null }]))
  })

  test('deleted gives back its text in addition to its content', async () => {
    const media = await uploaded()
    const said = await mara.says('for *later* <b>', { media_ids: [media.id] })
    const { body } = await mara.asks('DELETE', `/api/v1/statuses/${said.id}`)
    expect(faultsIn(body, object({ ...STATUS, ...FLAGS, text }, { pinned: flag }))).toEqual([])
    expect(body).toMatchObject({ text: 'for *later* <b>', content: '<p>for *later* &lt;b&gt;</p>', media_attachments: [{ id: media.id }] })
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

test('a relationship has every key', async () => {
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
  await world.idle()
  const notified = await ines.notifications()
  expect(faultsIn(notified, listOf(notification))).toEqual([])
  const byType = new Map(notified.map((each) => [each.type, each]))
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
  expect(faultsIn(registered, credentialApplication)).toEqual([])
  expect(registered).toMatchObject({ redirect_uris: body.redirect_uris, redirect_uri: body.redirect_uris.join('\n'), website: null })
  const { client_id, client_secret } = registered
  const grant = { grant_type: 'client_credentials', client_id, client_secret, redirect_uri: 'tea://done', scope: 'read' }
  const issued = (await world.asks('POST', '/oauth/token', { body: grant })).body
  expect(faultsIn(issued, token)).toEqual([])
  expect(issued).toMatchObject({ scope: 'read', access_token: expect.stringMatching(/^[\w-]+$/) })
  const own = await world.asks('GET', '/api/v1/apps/verify_credentials', { token: issued.access_token })
  expect(faultsIn(own.body, application)).toEqual([])
})

test.each(['GET', 'POST'])('an app that may only know who signs in gets claims, by %s', async (method) => {
  const person = await world.person(`claimed_${method.toLowerCase()}`, { scopes: 'profile' })
  const { status, body } = await person.asks(method, '/oauth/userinfo')
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      iss: `${world.origin}/`,
      sub: `${world.origin}/users/${person.username}`,
      name: person.username,
      preferred_username: person.username,
      profile: `${world.origin}/@${person.username}`,
      picture: `${world.origin}/avatars/original/missing.png`,
    },
  })
  expect((await world.get('/.well-known/oauth-authorization-server')).body.userinfo_endpoint).toBe(`${world.origin}/oauth/userinfo`)
})

test('languages have a code and a name, each once', async () => {
  const { body } = await world.get('/api/v1/instance/languages')
  expect(faultsIn(body, listOf(object({ code: matching('a code', /^[a-z]{2}$/), name: text })))).toEqual([])
  expect(body).toContainEqual({ code: 'de', name: 'German' })
  expect(new Set(body.map(({ name }: { name: string }) => name)).size).toBe(body.length)
})

test('an announcement has every key', async () => {
  await importsEmoji(world, 'blob_entity')
  const said = await mara.says('#tea')
  const { id } = await announces(world, `:blob_entity: @joel #tea ${said.url}`)
  for (const name of ['blob_entity', '🎉']) await reacts(mara, id, name)
  const shown = await announced(joel)
  expect(faultsIn(shown, listOf(announcement))).toEqual([])
  expect(shown[0].reactions.map(({ url }: { url?: string }) => typeof url)).toEqual(['string', 'undefined'])
})

test('a list, a tag, a featured tag and a marker have every key', async () => {
  expect(faultsIn((await mara.post('/api/v1/lists', { title: 'tea', exclusive: true })).body, list)).toEqual([])
  expect(faultsIn((await mara.get('/api/v1/lists')).body, listOf(list))).toEqual([])
  await mara.says('#tea')
  expect(faultsIn((await mara.post('/api/v1/tags/tea/follow')).body, viewedTag)).toEqual([])
  expect(faultsIn((await mara.get('/api/v1/followed_tags')).body, listOf(viewedTag))).toEqual([])
  expect(faultsIn((await world.get('/api/v1/tags/tea')).body, tag)).toEqual([])
  expect(faultsIn((await mara.get('/api/v1/featured_tags/suggestions')).body, listOf(viewedTag))).toEqual([])
  for (const name of ['tea', 'coffee']) expect(faultsIn((await mara.post('/api/v1/featured_tags', { name })).body, featuredTag)).toEqual([])
  expect(faultsIn((await world.get(`/api/v1/accounts/${mara.id}/featured_tags`)).body, listOf(featuredTag))).toEqual([])
  const markers = await mara.post('/api/v1/markers', { home: { last_read_id: '7' } })
  expect(faultsIn(markers.body, object({ home: marker }))).toEqual([])
})

test('what returns nothing returns an empty object', async () => {
  await joel.says('hello @mara')
  await world.idle()
  const [first] = await mara.notifications()
  expect((await mara.post(`/api/v1/notifications/${first.id}/dismiss`)).body).toEqual({})
  expect((await mara.post('/api/v1/notifications/clear')).body).toEqual({})
  expect(await mara.notifications()).toEqual([])
})
