import type { Browser, PageAnswer, Person } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { browser } from '@rookery/test-world/page-browser'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAmongStrangers, PUBLIC } from './strangers.ts'

// Relays pass public statuses on between the servers that subscribe to them.

let among: Awaited<ReturnType<typeof openAmongStrangers>>
let mara: Person
let inside: Browser
let relay: ReturnType<typeof among.stranger>
let ann: ReturnType<typeof among.stranger>

const RELAYS = '/admin/domains/relays'
const serverActor = () => `${among.world.address}/actor`
const notice = ({ text }: PageAnswer) => /<p class="notice[^"]*" role="(?:alert|status)">([^<]*)/.exec(text)?.[1]
const mark = ({ text }: PageAnswer) => /<em class="mark">([^<]*)/.exec(text)?.[1]

/** What arrived at the relay, of a type. */
const relayed = (type: string) =>
  among.servers
    .posted()
    .filter(({ host }) => host === relay.host)
    .map(({ body }) => JSON.parse(String(body)))
    .filter((activity) => activity.type === type)
const asked = () => relayed('Follow').at(-1)

const add = async (inbox = relay.inbox) => {
  const page = await inside.submit(await inside.go(RELAYS), { inbox }, 'value="add"')
  await among.idle()
  return page
}
const remove = async () => {
  const page = await inside.submit(await inside.go(RELAYS), {}, 'value="remove"')
  await among.idle()
  return page
}
const answers = (type: 'Accept' | 'Reject', by = relay, follow = asked()) => among.sends(by, { type, object: follow })
const announces = (object: unknown, by = relay) => among.sends(by, { type: 'Announce', to: [PUBLIC], object })

/** The texts of the federated timeline. */
const federated = async (): Promise<string[]> =>
  (await mara.get('/api/v1/timelines/public?remote=true')).body.map(({ content }: { content: string }) => content)

beforeAll(async () => {
  among = await openAmongStrangers()
  mara = await among.world.person('mara')
  const owner = await among.world.owner('owner')
  await owner.post('/api/v1/admin/domain_blocks', { domain: 'blocked.example', severity: 'suspend' })
  inside = browser(among.world)
  await inside.submit(await inside.visit('/admin'), { email: 'owner@example.org', password: 'owner-password' })
  relay = among.stranger('relay')
  ann = among.stranger('ann')
})

afterAll(() => among?.close())

describe('a subscription', () => {
  it('is asked for with a follow of everything public by the server itself', async () => {
    expect(notice(await add())).toBe('Added.')
    expect(asked()).toMatchObject({ type: 'Follow', actor: serverActor(), object: PUBLIC })
    expect(mark(await inside.go(RELAYS))).toBe('Not answered')
  })

  it('does nothing before it is accepted', async () => {
    await mara.says('before the relay accepted')
    const note = among.note(ann, { content: '<p>too early</p>' })
    await announces(note.id)
    expect(relayed('Create')).toEqual([])
    expect(await federated()).toEqual([])
  })

  it('is not accepted by another server', async () => {
    await answers('Accept', ann)
    expect(mark(await inside.go(RELAYS))).toBe('Not answered')
  })

  it('can be rejected, and asked for again', async () => {
    const first = asked()
    await answers('Reject')
    expect(mark(await inside.go(RELAYS))).toBe('Rejected')
    await add()
    expect(asked().id).not.toBe(first.id)
    await answers('Accept', relay, first)
    expect(mark(await inside.go(RELAYS))).toBe('Not answered')
  })

  it('is accepted by an answer that names the activity, and is not asked for once more', async () => {
    await answers('Accept', relay, asked().id)
    expect(mark(await inside.go(RELAYS))).toBe('Accepted')
    const before = relayed('Follow').length
    await add()
    expect(relayed('Follow')).toHaveLength(before)
  })

  it.each([
    ['no address', () => 'relay'],
    ['another scheme', () => 'ftp://relay.example/inbox'],
    ['an address with a password', () => 'http://a:b@relay.example/inbox'],
    ['this server', () => `${among.world.address}/inbox`],
    ['a server that is suspended', () => 'http://sub.blocked.example/inbox'],
  ])('is not asked for at %s', async (_what, inbox) => {
    const before = among.servers.posted().length
    const page = await add(inbox())
    expect(page.status).toBe(422)
    expect(page.text).toContain('This is not valid.')
    expect(among.servers.posted()).toHaveLength(before)
  })

  it('is for those who manage federation', async () => {
    await among.world.person('moderator', { role: 'moderator' })
    const other = browser(among.world)
    await other.submit(await other.visit('/admin'), { email: 'moderator@example.org', password: 'moderator-password' })
    expect((await other.go(RELAYS)).status).toBe(403)
  })
})

describe('what a relay names', () => {
  it('is fetched from its own server and shown on the federated timeline and under its hashtags, without a boost', async () => {
    const tag = { type: 'Hashtag', name: '#harbour', href: `${ann.origin}/tags/harbour` }
    const note = among.note(ann, { content: '<p>ships at the harbour</p>', tag: [tag] })
    await announces(note.id)
    expect(await federated()).toEqual(['<p>ships at the harbour</p>'])
    const [found] = (await mara.get('/api/v1/timelines/tag/harbour')).body
    expect(found).toMatchObject({ uri: note.id, reblog: null, reblogs_count: 0, account: { username: 'ann' } })
  })

  it('may be a Create of another server, whose content is not taken from the relay', async () => {
    const note = among.note(ann, { content: '<p>as it is at its server</p>' })
    const create = { id: `${note.id}/activity`, type: 'Create', actor: ann.uri, object: { ...note, content: '<p>forged</p>' } }
    expect(await among.deliver(relay, create)).toBe(202)
    await among.idle()
    expect(await federated()).toContain('<p>as it is at its server</p>')
    expect(await federated()).not.toContain('<p>forged</p>')
  })

  it('arrives on the stream of the federated timeline', async () => {
    const stream = await mara.listens('public:remote')
    const note = among.note(ann, { content: '<p>while it streams</p>' })
    await announces(note.id)
    const { payload } = await stream.hears(({ event }) => event === 'update')
    expect(JSON.parse(payload!)).toMatchObject({ uri: note.id, content: '<p>while it streams</p>' })
    await stream.close()
  })

  it('is in the homes of followers once, however often it comes', async () => {
    const [followed] = (await mara.get(`/api/v2/search?q=${encodeURIComponent(ann.uri)}&resolve=true`)).body.accounts
    await mara.post(`/api/v1/accounts/${followed.id}/follow`)
    await among.idle()
    await among.sends(ann, { type: 'Accept', object: among.sent('Follow', ({ actor }) => actor === among.actorOf('mara')) })
    const note = among.note(ann, { content: '<p>once</p>' })
    await announces(note.id)
    await among.sends(ann, { type: 'Create', object: note })
    await announces(note.id)
    const home = (await mara.get('/api/v1/timelines/home')).body
    expect(home.filter(({ content }: { content: string }) => content === '<p>once</p>')).toHaveLength(1)
  })

  it.each([
    ['unlisted', { to: [`http://ann.example/followers`], cc: [PUBLIC] }],
    ['for followers', { to: [`http://ann.example/followers`], cc: [] }],
  ])('is ignored if it is %s', async (what, audience) => {
    const bea = among.stranger('bea')
    const note = among.note(bea, { content: `<p>${what}</p>`, ...audience })
    await announces(note.id)
    expect(await query(among.world, 'select id from statuses.status where uri = $1', [note.id])).toEqual([])
  })

  it('is ignored if it is of this server', async () => {
    const { uri, id } = await mara.says('of this server')
    await announces(uri)
    expect((await mara.get(`/api/v1/statuses/${id}`)).body.reblogs_count).toBe(0)
  })

  it('costs ten fetches at most, with its thread', async () => {
    const cyd = among.stranger('cyd')
    let inReplyTo = ''
    for (let depth = 0; depth < 15; depth++) inReplyTo = among.note(cyd, { content: `<p>${depth}</p>`, ...(inReplyTo && { inReplyTo }) }).id
    const before = among.servers.arrived.length
    await announces(inReplyTo)
    const fetched = among.servers.arrived.slice(before).filter(({ method, path }) => method === 'GET' && path.startsWith('/notes/'))
    expect(fetched.length).toBeGreaterThan(1)
    expect(fetched.length).toBeLessThanOrEqual(10)
  })
})

describe('what is posted here', () => {
  it('goes to relays if it is public: posts, edits and deletions, but no boosts', async () => {
    const { id, uri } = await mara.says('for everyone')
    await mara.asks('PUT', `/api/v1/statuses/${id}`, { body: { status: 'for everyone, edited' } })
    await among.idle()
    await mara.post(`/api/v1/statuses/${id}/reblog`)
    await among.idle()
    await mara.asks('DELETE', `/api/v1/statuses/${id}`)
    await among.idle()
    expect(relayed('Create').filter(({ object }) => object.id === uri)).toHaveLength(1)
    expect(relayed('Update').find(({ object }) => object.id === uri)).toMatchObject({ object: { content: '<p>for everyone, edited</p>' } })
    expect(relayed('Delete').find(({ object }) => object.id === uri)).toMatchObject({ to: [PUBLIC] })
    expect(relayed('Announce')).toEqual([])
    expect(relayed('Undo')).toEqual([])
  })

  it.each(['unlisted', 'private'])('does not go to relays if it is %s, but to followers', async (visibility) => {
    await among.sends(ann, { type: 'Follow', object: among.actorOf('mara') })
    const { id, uri } = await mara.says(`${visibility} words`, { visibility })
    await among.idle()
    await mara.asks('PUT', `/api/v1/statuses/${id}`, { body: { status: 'other words' } })
    await among.idle()
    await mara.asks('DELETE', `/api/v1/statuses/${id}`)
    await among.idle()
    for (const type of ['Create', 'Update', 'Delete']) {
      expect(among.sent(type, ({ object }) => object.id === uri)).toBeDefined()
      expect(relayed(type).filter(({ object }) => object.id === uri)).toEqual([])
    }
  })

  it('is signed by its author', async () => {
    await mara.says('signed')
    await among.idle()
    const sent = among.servers.posted().findLast(({ host, body }) => host === relay.host && String(body).includes('signed'))
    expect(sent?.headers['signature']).toContain(`keyId="${among.actorOf('mara')}#main-key"`)
  })

  it('is followed by changes of the profile, and by the deletion of the account', async () => {
    const gone = await among.world.person('gone')
    await gone.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'Gone soon' } })
    await among.idle()
    expect(relayed('Update').find(({ object }) => object.id === among.actorOf('gone'))).toMatchObject({ object: { name: 'Gone soon' } })
    await among.world.operator().deleteAccount(innerCall(), { username: 'gone' })
    await among.idle()
    expect(relayed('Delete').filter(({ object }) => object === among.actorOf('gone'))).toHaveLength(1)
  })
})

describe('the end of a subscription', () => {
  it('undoes the follow, and nothing is exchanged any more', async () => {
    const follow = asked()
    expect(notice(await remove())).toBe('Removed.')
    expect(relayed('Undo').at(-1)).toMatchObject({ actor: serverActor(), object: { id: follow.id, type: 'Follow', object: PUBLIC } })
    const before = relayed('Create').length
    await mara.says('after the end')
    const note = among.note(among.stranger('dan'), { content: '<p>too late</p>' })
    await announces(note.id)
    expect(relayed('Create')).toHaveLength(before)
    expect(await federated()).not.toContain('<p>too late</p>')
  })

  it.each(['abc', '0', '99999999999999999999', ''])('of a relay that there is not (%s) is refused', async (id) => {
    await add()
    const page = await inside.submit(await inside.go(RELAYS), { id }, 'value="remove"')
    expect(page.status).toBe(404)
    expect((await inside.go(RELAYS)).text).toContain(relay.inbox)
  })

  it('is in the log of what staff do', async () => {
    const { text } = await inside.go('/admin/audit')
    for (const words of ['Asked a relay for a subscription', 'Ended the subscription to a relay']) expect(text).toContain(words)
  })
})

it('there are twenty relays at most', async () => {
  for (let number = 1; number <= 20; number++) await add(`http://relay${number}.example/inbox`)
  const page = await add('http://one.too.many.example/inbox')
  expect(page.status).toBe(422)
  expect(page.text).toContain('These are too many: at most 20.')
})
