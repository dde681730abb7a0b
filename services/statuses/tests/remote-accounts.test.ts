import { DiscoveryDefinition, GraphDefinition, PortabilityDefinition, RemoteAccountsDefinition } from '@rookery/contracts/statuses'
import { type Person, World } from '@rookery/test-world'
import { innerCall, innerClient } from '@rookery/test-world/calls'
import { remoteProfile, storeRemote } from '@rookery/test-world/remote-people'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logEvents } from './outbox-log.ts'

const HERE = 'https://birds.example'
const GRAPH_EVENTS = [
  ...['accountFollowed', 'accountUnfollowed', 'followRequested', 'followRequestWithdrawn', 'followRefused'],
  ...['recipientAddressed', 'accountMoved', 'accountClosed', 'profileChanged', 'reportForwarded'],
]

let world: World
let mara: Person
let joel: Person
let log: Awaited<ReturnType<typeof logEvents>>
beforeAll(async () => {
  world = await World.open({ settings: { BASE_URL: HERE } })
  ;({ mara, joel } = await world.cast('mara', 'joel'))
  log = await logEvents(world)
})
afterAll(async () => {
  await log.end()
  await world.close()
})

const remote = () => innerClient(world, RemoteAccountsDefinition)
const graph = () => innerClient(world, GraphDefinition)
const store = (username: string, domain: string, changes = {}) => storeRemote(world, remoteProfile(username, domain, changes))
const account = async (id: string) => (await mara.get(`/api/v1/accounts/${id}`)).body
const relationship = async (person: Person, id: string) => (await person.get(`/api/v1/accounts/relationships?id[]=${id}`)).body[0]
/** An act of a person of another server, as federation brings it. */
const asRemote = (id: string, target: Person) => ({ viewerId: id, accountId: target.id })

describe('a person of another server', () => {
  test('is shown with their domain, their addresses and the counts that their server says', async () => {
    const id = await store('ann', 'tea.example', {
      displayName: 'Ann\nof Tea',
      noteHtml: '<p>Tea<script>alert(1)</script></p>',
      followersCount: 12,
      followingCount: 3,
      statusesCount: 4,
      isGroup: true,
      avatarUrl: 'https://tea.example/ann.png',
    })
    expect(await account(id)).toMatchObject({
      id,
      username: 'ann',
      acct: 'ann@tea.example',
      display_name: 'Ann of Tea',
      note: '<p>Tea</p>',
      url: 'https://tea.example/@ann',
      uri: 'https://tea.example/users/ann',
      avatar: expect.stringContaining(`${world.address}/media/remote/avatar/`),
      avatar_static: expect.stringContaining(`${world.address}/media/remote/avatar_static/`),
      group: true,
      followers_count: 12,
      following_count: 3,
      statuses_count: 4,
    })
  })

  test('is known although a field is cut within an emoji', async () => {
    const value = `${'a'.repeat(2046)}🐦 and more`
    const id = await store('fred', 'tea.example', { fields: [{ name: 'Bird', value }] })
    expect((await account(id)).fields).toMatchObject([{ name: 'Bird', value: `${'a'.repeat(2046)}\ufffd` }])
  })

  test('has pictures at addresses that change with theirs alone', async () => {
    const [first, second] = ['https://tea.example/1.png', 'https://tea.example/2.png']
    const emojis = [{ shortcode: 'tea', url: first, staticUrl: first, visibleInPicker: false, category: '' }]
    const profile = { displayName: ':tea:', avatarUrl: first, headerUrl: first, emojis }
    const before = await account(await store('gert', 'tea.example', profile))
    expect(before.emojis).toMatchObject([{ shortcode: 'tea', url: expect.stringContaining('/media/remote/emoji/') }])
    expect(await account(await store('gert', 'tea.example', profile))).toMatchObject({ avatar: before.avatar, header: before.header })
    const after = await account(await store('gert', 'tea.example', { ...profile, avatarUrl: second }))
    expect(after.header).toBe(before.header)
    expect(after.avatar).not.toBe(before.avatar)
  })

  test('may have the username of a person of this server, who stays who they are', async () => {
    const id = await store('mara', 'tea.example')
    expect((await mara.get('/api/v1/accounts/lookup?acct=mara')).body.id).toBe(mara.id)
    expect((await mara.get('/api/v1/accounts/lookup?acct=mara@birds.example')).body.id).toBe(mara.id)
    expect((await mara.get('/api/v1/accounts/lookup?acct=@Mara@TEA.example')).body).toMatchObject({ id, acct: 'mara@tea.example' })
    expect((await mara.get('/api/v1/accounts/lookup?acct=mara@other.example')).status).toBe(404)
    expect((await mara.get('/api/v1/accounts/verify_credentials')).body.acct).toBe('mara')
    const { ann } = await world.cast('ann')
    expect((await mara.get('/api/v1/accounts/lookup?acct=ann')).body.id).toBe(ann.id)
  })

  test('is one account however often their server says what they are, and only changes change its version', async () => {
    const profile = remoteProfile('bea', 'tea.example')
    const first = await remote().store(innerCall(), profile)
    const again = await remote().store(innerCall(), { ...profile, displayName: 'Bea' })
    expect([first.isNew, again]).toEqual([true, { id: first.id, isNew: false }])
    expect((await account(first.id)).display_name).toBe('Bea')
    const both = await Promise.all([1, 2, 3].map(() => remote().store(innerCall(), remoteProfile('cleo', 'tea.example'))))
    expect(new Set(both.map(({ id }) => id)).size).toBe(1)
    expect(both.filter(({ isNew }) => isNew)).toHaveLength(1)
  })

  test('holds their handle until their server gives it to another', async () => {
    const id = await store('dora', 'tea.example')
    const usurper = remoteProfile('dora', 'tea.example', { uri: 'https://tea.example/users/other' })
    await expect(remote().store(innerCall(), usurper)).rejects.toMatchObject({ kind: 'conflict' })
    const next = await remote().store(innerCall(), { ...usurper, replacesHandle: true })
    expect(next.isNew).toBe(true)
    expect((await mara.get('/api/v1/accounts/lookup?acct=dora@tea.example')).body.id).toBe(next.id)
    expect((await mara.get(`/api/v1/accounts/${id}`)).status).toBe(404)
  })

  test('is refused with a handle or uri of this server', async () => {
    for (const profile of [remoteProfile('mara', 'birds.example'), remoteProfile('eve', 'tea.example', { uri: `${HERE}/users/mara` })])
      await expect(remote().store(innerCall(), profile)).rejects.toMatchObject({ kind: 'invalid' })
  })

  test('has a page here that leads to theirs, and no feed and no handle of this server', async () => {
    await store('finn', 'tea.example')
    const html = { headers: { Accept: 'text/html' }, redirect: 'manual' as const }
    const page = await world.asks('GET', '/@finn@tea.example', html)
    expect([page.status, page.headers.get('location')]).toEqual([302, 'https://tea.example/@finn'])
    expect((await world.asks('GET', '/@finn@tea.example.rss', html)).status).toBe(404)
    expect((await world.asks('GET', '/@finn', html)).status).toBe(404)
    expect((await world.get('/.well-known/webfinger?resource=acct:finn@tea.example')).status).toBe(404)
    expect((await world.get('/.well-known/webfinger?resource=acct:finn@birds.example')).status).toBe(404)
  })

  test('is found by uri and by handle', async () => {
    const id = await store('gus', 'tea.example')
    const found = { id, uri: 'https://tea.example/users/gus', isSuspended: false }
    expect(await remote().readByUris(innerCall(), { uris: [found.uri, 'https://tea.example/users/nobody'] })).toEqual({ accounts: [found] })
    expect(await remote().readByHandle(innerCall(), { username: 'GUS', domain: 'tea.example' })).toEqual({ accounts: [found] })
    expect(await remote().readByHandle(innerCall(), { username: 'mara', domain: 'birds.example' })).toEqual({ accounts: [] })
  })

  test('goes with all of it when their server deletes them, and the handle is free', async () => {
    const id = await store('hal', 'tea.example')
    await graph().follow(innerCall(), { ...asRemote(id, mara), reblogs: undefined, notify: undefined, languages: undefined })
    const before = (await account(mara.id)).followers_count
    await remote().remove(innerCall(), { uri: 'https://tea.example/users/hal' })
    expect((await mara.get(`/api/v1/accounts/${id}`)).status).toBe(404)
    await world.advance(1000)
    expect((await account(mara.id)).followers_count).toBe(before - 1)
    const again = await remote().store(innerCall(), remoteProfile('hal', 'tea.example'))
    expect([again.isNew, again.id === id]).toEqual([true, false])
    await log.take()
  })
})

describe('following across servers', () => {
  const follows = (id: string, target: Person) =>
    graph().follow(innerCall(), { ...asRemote(id, target), reblogs: undefined, notify: undefined, languages: undefined })

  test('is a request until their server accepts, and an unfollow after', async () => {
    const id = await store('iris', 'tea.example')
    await log.take()
    const asked = (await mara.post(`/api/v1/accounts/${id}/follow`)).body
    expect(asked).toMatchObject({ following: false, requested: true })
    expect(await log.take(...GRAPH_EVENTS)).toEqual([['followRequested', { accountId: mara.id, targetId: id }]])
    await graph().authorizeFollowRequest(innerCall(), { viewerId: id, accountId: mara.id })
    expect(await relationship(mara, id)).toMatchObject({ following: true, requested: false })
    expect(await log.take(...GRAPH_EVENTS)).toEqual([['accountFollowed', { accountId: mara.id, targetId: id }]])
    await mara.post(`/api/v1/accounts/${id}/unfollow`)
    expect(await log.take(...GRAPH_EVENTS)).toEqual([['accountUnfollowed', { accountId: mara.id, targetId: id }]])
  })

  test('is withdrawn before they answer', async () => {
    const id = await store('jan', 'tea.example')
    await mara.post(`/api/v1/accounts/${id}/follow`)
    await log.take()
    await mara.post(`/api/v1/accounts/${id}/unfollow`)
    expect(await relationship(mara, id)).toMatchObject({ following: false, requested: false })
    expect(await log.take(...GRAPH_EVENTS)).toEqual([['followRequestWithdrawn', { accountId: mara.id, targetId: id }]])
  })

  test('is turned down by their server', async () => {
    const id = await store('kim', 'tea.example')
    await mara.post(`/api/v1/accounts/${id}/follow`)
    await log.take()
    await graph().rejectFollowRequest(innerCall(), { viewerId: id, accountId: mara.id })
    expect(await relationship(mara, id)).toMatchObject({ requested: false })
    expect(await log.take(...GRAPH_EVENTS)).toEqual([])
  })

  test('is at once for who follows an open account here, who is notified; removing them refuses the follow', async () => {
    const id = await store('leo', 'tea.example')
    await log.take()
    await follows(id, joel)
    expect((await log.take(...GRAPH_EVENTS)).map(([kind]) => kind)).toEqual(['accountFollowed', 'recipientAddressed'])
    await world.idle()
    expect((await joel.notifications()).map(({ type, account: { acct } }) => [type, acct])).toContainEqual(['follow', 'leo@tea.example'])
    expect((await joel.get(`/api/v1/accounts/${joel.id}/followers`)).body.map(({ acct }: { acct: string }) => acct)).toContain(
      'leo@tea.example',
    )
    await log.take()
    await joel.post(`/api/v1/accounts/${id}/remove_from_followers`)
    expect(await log.take(...GRAPH_EVENTS)).toEqual([
      ['accountUnfollowed', { accountId: id, targetId: joel.id }],
      ['followRefused', { accountId: id, targetId: joel.id }],
    ])
  })

  test('waits for the consent of a locked account here', async () => {
    const { lena } = await world.cast('lena')
    await lena.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { locked: true } })
    const [yes, no] = [await store('max', 'tea.example'), await store('nia', 'tea.example')]
    await follows(yes, lena)
    await follows(no, lena)
    await log.take()
    await lena.post(`/api/v1/follow_requests/${yes}/authorize`)
    await lena.post(`/api/v1/follow_requests/${no}/reject`)
    expect((await log.take(...GRAPH_EVENTS)).filter(([kind]) => kind !== 'recipientAddressed')).toEqual([
      ['accountFollowed', { accountId: yes, targetId: lena.id }],
      ['followRefused', { accountId: no, targetId: lena.id }],
    ])
  })

  test('makes no home, no notification and no mail for people of other servers', async () => {
    const id = await store('olga', 'tea.example')
    await follows(id, joel)
    await log.take()
    await joel.says('tea is ready')
    await joel.post(`/api/v1/accounts/${id}/follow`)
    await world.idle()
    const addressed = (await log.take('recipientAddressed')).filter(([, { recipientId }]) => recipientId === id)
    expect(addressed).toEqual([])
  })
})

describe('moving across servers', () => {
  test('brings followers of this server along, by asking, and names people with their domain', async () => {
    const { pia, quin } = await world.cast('pia', 'quin')
    await quin.follows(pia)
    const id = await store('pia', 'new.example', { alsoKnownAs: [`${HERE}/users/pia`, 'https://gone.example/users/pia'] })
    await log.take()
    const page = await pia.asks('GET', '/api/v1/accounts/verify_credentials')
    expect(page.status).toBe(200)
    const { moves } = await movesOf()
    await moves.start(innerCall(), { accountId: pia.id, acct: 'pia@new.example' })
    expect((await moves.read(innerCall(), { accountId: pia.id })).movedTo).toBe('pia@new.example')
    expect((await account(pia.id)).moved).toMatchObject({ id, acct: 'pia@new.example' })
    await world.advance(1000)
    expect(await relationship(quin, id)).toMatchObject({ requested: true })
    const events = await log.take(...GRAPH_EVENTS)
    expect(events).toContainEqual(['accountMoved', { accountId: pia.id, targetId: id }])
    expect(events).toContainEqual(['followRequested', { accountId: quin.id, targetId: id }])
  })

  test('of a person of another server needs the alias, and brings followers of this server only', async () => {
    const { rosa } = await world.cast('rosa')
    const [from, fan] = [await store('sam', 'old.example'), await store('fan', 'tea.example')]
    await rosa.post(`/api/v1/accounts/${from}/follow`)
    await graph().authorizeFollowRequest(innerCall(), { viewerId: from, accountId: rosa.id })
    await graph().follow(innerCall(), { viewerId: fan, accountId: from, reblogs: undefined, notify: undefined, languages: undefined })
    await expect(remote().move(innerCall(), { accountId: from, targetId: joel.id })).rejects.toMatchObject({ kind: 'invalid' })
    const to = await store('sam', 'new.example', { alsoKnownAs: ['https://old.example/users/sam'] })
    await remote().move(innerCall(), { accountId: from, targetId: to })
    await world.advance(1000)
    expect(await relationship(rosa, to)).toMatchObject({ requested: true, following: false })
    expect(await relationship(rosa, from)).toMatchObject({ following: false })
    expect((await account(from)).moved.acct).toBe('sam@new.example')
  })

  const movesOf = async () => {
    const { MovesDefinition } = await import('@rookery/contracts/statuses')
    return { moves: innerClient(world, MovesDefinition) }
  }
})

describe('a limit of a domain', () => {
  const limit = async (domain: string, changes: { isSilenced?: boolean; isSuspended?: boolean; rejectsMedia?: boolean }) => {
    await remote().limitDomain(innerCall(), { domain, isSilenced: false, isSuspended: false, rejectsMedia: false, ...changes })
    await world.advance(1000)
  }

  test('silences who is there and who comes, below it too, and leaves what staff decided when it ends', async () => {
    const owner = await world.owner('limits')
    const [own, below, beside] = [
      await store('a', 'loud.example'),
      await store('b', 'very.loud.example'),
      await store('c', 'aloud.example'),
    ]
    await owner.post(`/api/v1/admin/accounts/${own}/action`, { type: 'silence' })
    await limit('loud.example', { isSilenced: true })
    const late = await store('d', 'loud.example')
    const limited = async () => Promise.all([own, below, beside, late].map(async (id) => (await account(id)).limited ?? false))
    expect(await limited()).toEqual([true, true, false, true])
    await limit('loud.example', {})
    expect(await limited()).toEqual([true, false, false, false])
  })

  test('suspends, ends follows either way for good, and shows people again when it ends', async () => {
    const { tom } = await world.cast('tom')
    const [followed, follower] = [await store('a', 'bad.example'), await store('b', 'bad.example')]
    await tom.post(`/api/v1/accounts/${followed}/follow`)
    await graph().authorizeFollowRequest(innerCall(), { viewerId: followed, accountId: tom.id })
    await graph().follow(innerCall(), { ...asRemote(follower, tom), reblogs: undefined, notify: undefined, languages: undefined })
    expect(await account(tom.id)).toMatchObject({ followers_count: 1, following_count: 1 })
    await log.take()
    await limit('bad.example', { isSuspended: true })
    expect(await account(tom.id)).toMatchObject({ followers_count: 0, following_count: 0 })
    const events = await log.take(...GRAPH_EVENTS)
    expect(events).toContainEqual(['accountUnfollowed', { accountId: tom.id, targetId: followed }])
    expect(events).toContainEqual(['followRefused', { accountId: follower, targetId: tom.id }])
    expect(await account(followed)).toMatchObject({ suspended: true, display_name: '' })
    await limit('bad.example', { isSuspended: true, rejectsMedia: true })
    const severed = (await tom.notifications()).filter(({ type }) => type === 'severed_relationships')
    expect(severed.map(({ event }) => event)).toMatchObject([
      { type: 'domain_block', target_name: 'bad.example', following_count: 1, followers_count: 1 },
    ])
    await limit('bad.example', {})
    expect(await account(followed)).toMatchObject({ display_name: 'a elsewhere' })
    expect(await relationship(tom, followed)).toMatchObject({ following: false })
  })

  test('hides pictures while it says so', async () => {
    const avatarUrl = 'https://media.example/a.png'
    const id = await store('a', 'media.example', { avatarUrl })
    const { avatar } = await account(id)
    await limit('media.example', { rejectsMedia: true })
    expect((await account(id)).avatar).toBe(`${world.address}/avatars/original/missing.png`)
    await limit('media.example', {})
    expect((await account(id)).avatar).toBe(avatar)
  })
})

describe('a server that a person shut out', () => {
  test('is heard of no more by them alone: follows end either way and cannot begin, notifications go', async () => {
    const { uma } = await world.cast('uma')
    const [followed, follower] = [await store('a', 'shut.example'), await store('b', 'shut.example')]
    await uma.post(`/api/v1/accounts/${followed}/follow`)
    await graph().authorizeFollowRequest(innerCall(), { viewerId: followed, accountId: uma.id })
    await graph().follow(innerCall(), { ...asRemote(follower, uma), reblogs: undefined, notify: undefined, languages: undefined })
    await world.idle()
    expect(await uma.notifications()).toHaveLength(1)
    expect((await uma.get('/api/v1/domain_blocks/preview?domain=shut.example')).body).toEqual({ following_count: 1, followers_count: 1 })
    await log.take()
    await uma.post('/api/v1/domain_blocks', { domain: 'shut.example' })
    await world.advance(1000)
    expect(await relationship(uma, followed)).toMatchObject({ domain_blocking: true, following: false, followed_by: false })
    expect((await uma.notifications()).map(({ type }) => type)).toEqual(['severed_relationships'])
    const events = await log.take(...GRAPH_EVENTS)
    expect(events).toContainEqual(['accountUnfollowed', { accountId: uma.id, targetId: followed }])
    expect(events).toContainEqual(['followRefused', { accountId: follower, targetId: uma.id }])
    expect((await uma.post(`/api/v1/accounts/${followed}/follow`)).status).toBe(403)
    await expect(
      graph().follow(innerCall(), { ...asRemote(follower, uma), reblogs: undefined, notify: undefined, languages: undefined }),
    ).rejects.toMatchObject({ kind: 'forbidden' })
    expect(await relationship(mara, followed)).toMatchObject({ domain_blocking: false })
    await uma.asks('DELETE', '/api/v1/domain_blocks', { body: { domain: 'shut.example' } })
    expect(await relationship(uma, followed)).toMatchObject({ domain_blocking: false, following: false })
  })
})

describe('people of other servers among those of this one', () => {
  test('are found by handle, by how their domain begins, and by uri', async () => {
    const id = await store('zoe', 'search.example')
    const found = async (q: string) =>
      (await mara.get(`/api/v1/accounts/search?q=${encodeURIComponent(q)}`)).body.map((each: { id: string }) => each.id)
    expect(await found('@zoe@search.example')).toEqual([id])
    expect(await found('zoe@sea')).toEqual([id])
    expect(await found('acct:zoe@search.example')).toEqual([id])
    expect(await found('@zoe@sea')).toEqual([id])
    expect(await found('zoe@other.example')).toEqual([])
    expect(await found('zoe')).toContain(id)
    const byUri = await mara.get(`/api/v2/search?resolve=true&q=${encodeURIComponent('https://search.example/users/zoe')}`)
    expect(byUri.body.accounts.map((each: { id: string }) => each.id)).toEqual([id])
  })

  test('stand in the directory unless it is asked for those of this server, and count as none of its people', async () => {
    const { people } = await readCounts()
    const id = await store('xena', 'directory.example')
    const listed = async (query: string) =>
      (await mara.get(`/api/v1/directory?order=new&${query}`)).body.map((each: { id: string }) => each.id)
    expect(await listed('')).toContain(id)
    expect(await listed('local=true')).not.toContain(id)
    expect((await mara.get('/api/v1/directory?local=true')).status).toBe(200)
    expect((await readCounts()).people).toBe(people)
  })

  test('are listed for staff by origin and by domain', async () => {
    const owner = await world.owner('lister')
    const id = await store('yves', 'staff.example')
    const listed = async (path: string) =>
      (await owner.get(path)).body.map((each: { id: string; domain: string | null }) => [each.id, each.domain])
    expect(await listed('/api/v1/admin/accounts?by_domain=staff.example')).toEqual([[id, 'staff.example']])
    expect(await listed('/api/v2/admin/accounts?origin=remote&limit=1')).toEqual([[id, 'staff.example']])
    expect(await listed('/api/v1/admin/accounts?remote=true&limit=1')).toEqual([[id, 'staff.example']])
    expect(await listed('/api/v1/admin/accounts?remote=true&local=true&limit=1')).toEqual([[id, 'staff.example']])
    expect(await listed('/api/v1/admin/accounts?local=true&by_domain=staff.example')).toEqual([])
    const local = await listed('/api/v2/admin/accounts?origin=local')
    expect(local.length).toBeGreaterThan(0)
    expect(local.every(([, domain]: [string, string | null]) => domain === null)).toBe(true)
    expect(await listed('/api/v1/admin/accounts')).toEqual(local)
  })

  test('are acted on by staff but for what concerns logins', async () => {
    const owner = await world.owner('actor')
    const id = await store('wim', 'staff.example')
    expect((await owner.post(`/api/v1/admin/accounts/${id}/action`, { type: 'suspend' })).status).toBe(200)
    expect(await account(id)).toMatchObject({ suspended: true })
    expect((await owner.post(`/api/v1/admin/accounts/${id}/unsuspend`)).body).toMatchObject({
      id,
      suspended: false,
      domain: 'staff.example',
    })
    expect((await owner.post(`/api/v1/admin/accounts/${id}/approve`)).status).toBe(403)
    expect((await owner.asks('DELETE', `/api/v1/admin/accounts/${id}`)).status).toBe(403)
  })

  test('are exported with their domain', async () => {
    const { vera } = await world.cast('vera')
    const id = await store('blocked', 'tea.example')
    await vera.post(`/api/v1/accounts/${id}/block`)
    const portability = innerClient(world, PortabilityDefinition)
    const { rows } = await portability.readRows(innerCall(), { accountId: vera.id, kind: 'blocks', afterId: '' })
    expect(rows.map(({ cells }) => cells)).toEqual([['blocked@tea.example']])
  })

  const readCounts = () => innerClient(world, DiscoveryDefinition).readFigures(innerCall(), {})
})

describe('a profile of this server', () => {
  test('is sent on when what it shows changes, and not for what only its owner reads', async () => {
    await log.take()
    await mara.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { source: { privacy: 'unlisted' } } })
    expect(await log.take('profileChanged')).toEqual([])
    await mara.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'Mara of Tea' } })
    expect(await log.take('profileChanged')).toEqual([['profileChanged', { accountId: mara.id, isForAll: false }]])
  })
})

describe('a report about a person of another server', () => {
  test('goes to their server where its author wants that, and not otherwise', async () => {
    const id = await store('troll', 'tea.example')
    await log.take()
    const forwarded = (await mara.post('/api/v1/reports', { account_id: id, comment: 'spam', forward: true })).body
    expect(forwarded.forwarded).toBe(true)
    expect((await mara.post('/api/v1/reports', { account_id: id, comment: 'spam' })).body.forwarded).toBe(false)
    expect((await mara.post('/api/v1/reports', { account_id: joel.id, comment: 'spam', forward: true })).body.forwarded).toBe(false)
    expect(await log.take('reportForwarded')).toEqual([
      ['reportForwarded', { reportId: forwarded.id, targetId: id, comment: 'spam', statusIds: [], recipientIds: [id] }],
    ])
  })

  test('stays here where its author chose domains, and not that of the person', async () => {
    const id = await store('trick', 'tea.example')
    const isForwarded = async (forward_to_domains: string[]) =>
      (await mara.post('/api/v1/reports', { account_id: id, comment: 'spam', forward: true, forward_to_domains })).body.forwarded
    await log.take()
    expect(await isForwarded(['cats.example'])).toBe(false)
    expect(await log.take('reportForwarded')).toEqual([])
    expect([await isForwarded(['cats.example', 'TEA.example']), await isForwarded([])]).toEqual([true, true])
  })
})
