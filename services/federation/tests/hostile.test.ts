import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Person, World } from '@rookery/test-world'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newPair, strangerAt } from './other-server.ts'
import { openAmongStrangers, PUBLIC } from './strangers.ts'
import { found, relationship } from './two-servers.ts'

// A hundred activities, each of which another server may send.
vi.setConfig({ testTimeout: 120_000 })

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let among: Awaited<ReturnType<typeof openAmongStrangers>>
let world: World
let mara: Person
let said: Json
let poll: Json
const pair = newPair()

beforeAll(async () => {
  among = await openAmongStrangers()
  world = among.world
  mara = await world.person('mara')
  await mara.asks('PATCH', '/api/v2/notifications/policy', { body: { for_private_mentions: 'accept' } })
  said = await mara.says('said')
  poll = await mara.says('poll', { poll: { options: ['a', 'b'], expires_in: 3600 } })
})

afterAll(() => among?.close())

let made = 0
/** Someone of a server of their own, all with one key: making keys takes long. */
const stranger = (change: object = {}, host = `h${++made}.example`) => {
  const each = strangerAt(among.servers, host, `s${++made}`, { pair })
  among.servers.show(each.uri, { ...each.document, ...change })
  return each
}
type Stranger = ReturnType<typeof stranger>

/** An activity of someone's that mentions mara. */
const create = (by: Stranger, change: object = {}, around: object = {}) => {
  const note = among.note(by, { tag: [among.mention('mara')], to: [PUBLIC, among.actorOf('mara')] })
  return { type: 'Create', object: { ...note, ...change }, ...around }
}
/** Nested so deep. */
const nested = (type: string, depth: number, by: Stranger, object: unknown): object =>
  depth === 0
    ? (object as object)
    : { id: `${by.origin}/nested/${depth}`, type, actor: by.uri, object: nested(type, depth - 1, by, object) }

const ODD_NAMES: readonly string[] = [
  '\u202Egnp.exe\u202C',
  '\u200B\u200B\u200B',
  '\u2066left\u2069',
  'a\u0000b',
  '\uD800',
  '𝔪𝔞𝔯𝔞',
  'mаra',
  '\u0301'.repeat(400),
  '<b>bold</b>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a name as it is
  '{{7*7}}${7*7}',
  '﷽'.repeat(100),
  '\r\nSet-Cookie: a=b',
]

const NOTES: Record<string, (by: Stranger) => object> = {
  'an id with a fragment': (by) => ({ id: `${by.origin}/notes/f#part` }),
  'an id with user info': (by) => ({ id: `${by.origin.replace('//', '//user:secret@')}/notes/1` }),
  'an id at another port': (by) => ({ id: `${by.origin.replace(/:\d+$/, ':81')}/notes/1` }),
  'an id of a name that ends with a dot': (by) => ({ id: `${by.origin.replace('.example', '.example.')}/notes/1` }),
  'an id in capitals': (by) => ({ id: `${by.origin.toUpperCase()}/notes/1` }),
  'an id of a host in other letters': () => ({ id: 'https://exämple.org/notes/1' }),
  'an id with encoded letters': (by) => ({ id: `${by.origin}/%6eotes/%2e%2e/1` }),
  'an id with broken encoding': (by) => ({ id: `${by.origin}/%zz/%ff` }),
  'an id with white space': (by) => ({ id: ` ${by.origin}/notes/1\n` }),
  'an id with backslashes': (by) => ({ id: `${by.origin}\\notes\\1` }),
  'an id that is a number': () => ({ id: 7 }),
  'an id that is a list': (by) => ({ id: [`${by.origin}/1`] }),
  'an id of ours': () => ({ id: said.uri }),
  'a url of javascript': () => ({ url: 'javascript:alert(1)' }),
  'a url of data': () => ({ url: [{ type: 'Link', href: 'data:text/html,<script>' }, null, 7] }),
  'a url with credentials': (by) => ({ url: by.origin.replace('//', '//a:b@') }),
  'attachments with nulls': () => ({ attachment: [null, 7, 'x', [], {}, { type: 'Document' }, { type: 'Document', url: null }] }),
  'an attachment of javascript': () => ({ attachment: [{ type: 'Image', mediaType: 'image/png', url: 'javascript:alert(1)' }] }),
  'an attachment of ours': () => ({
    attachment: [{ type: 'Image', mediaType: 'image/png', url: `${world.address}/api/v1/accounts/verify_credentials` }],
  }),
  'an attachment of this machine': () => ({ attachment: [{ type: 'Image', mediaType: 'image/png', url: 'http://127.0.0.1:1/x.png' }] }),
  'sizes that are none': (by) => ({
    attachment: [
      { type: 'Image', mediaType: 'image/png', url: `${by.origin}/1.png`, width: '640', height: -1, focalPoint: ['a', 1e308], blurhash: 7 },
    ],
  }),
  'a hundred attachments': (by) => ({
    attachment: Array.from({ length: 100 }, (_, index) => ({ type: 'Image', mediaType: 'image/png', url: `${by.origin}/${index}.png` })),
  }),
  'tags with nulls': () => ({
    tag: [null, 7, among.mention('mara'), { type: 'Hashtag', name: null }, { type: 'Emoji', name: ':a:', icon: [null] }],
  }),
  'a thousand tags': () => ({
    tag: [among.mention('mara'), ...Array.from({ length: 1000 }, (_, index) => ({ type: 'Hashtag', name: `#t${index}` }))],
  }),
  'tags of odd letters': () => ({ tag: [among.mention('mara'), ...ODD_NAMES.map((name) => ({ type: 'Hashtag', name: `#${name}` }))] }),
  'emoji of odd places': () => ({
    tag: [
      among.mention('mara'),
      ...['javascript:1', 'data:image/png;base64,', 'file:///etc/passwd'].map((url, index) => ({
        type: 'Emoji',
        name: `:e${index}:`,
        icon: { url },
      })),
    ],
    content: '<p>:e0: :e1: :e2:</p>',
  }),
  'a mention under the name of another': () => ({
    tag: [{ ...among.mention('mara'), name: '@admin@bank.example' }],
    content: '<p>@admin</p>',
  }),
  'a date in the year 9999': () => ({ published: '9999-12-31T23:59:59Z', updated: '9999-12-31T23:59:59Z' }),
  'a date before Christ': () => ({ published: '-000001-01-01T00:00:00Z' }),
  'a date at the start of time': () => ({ published: '1970-01-01T00:00:00Z' }),
  'a date long ago': () => ({ published: '1999-12-31T23:59:59Z', updated: '2000-01-01T00:00:00Z' }),
  'a date that is a number': () => ({ published: 1e300, updated: {} }),
  'a date with odd digits': () => ({ published: '٢٠٢٤-٠١-٠١T00:00:00Z' }),
  'several authors': (by) => ({ attributedTo: [by.uri, among.actorOf('mara'), null, 7] }),
  'several authors, we first': (by) => ({ attributedTo: [among.actorOf('mara'), by.uri] }),
  'authors as objects': (by) => ({ attributedTo: [{ id: by.uri, type: 'Person', name: 'x' }] }),
  'no author': () => ({ attributedTo: null }),
  'a context of other places': () => ({
    '@context': [
      'https://www.w3.org/ns/activitystreams',
      'http://127.0.0.1:1/context',
      { as: 'http://evil.example/', '@import': 'http://127.0.0.1/' },
    ],
  }),
  'a context in a context': () => ({ '@context': { '@context': { '@context': { '@vocab': 'x' } } } }),
  'keys of prototypes': () =>
    JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}},"toString":"x","hasOwnProperty":1}'),
  'maps of languages with odd keys': () => ({
    content: null,
    ...JSON.parse('{"contentMap":{"__proto__":"x","":"<p>a</p>","en":["<p>b</p>"]}}'),
  }),
  'content that is a list': () => ({ content: ['<p>a</p>', null, 7] }),
  'content that is an object': () => ({ content: { '@value': '<script>' } }),
  'content that is deep': () => ({ content: '<blockquote>'.repeat(20_000) }),
  'content of many links': () => ({ content: '<a href="https://x.example/">x</a>'.repeat(10_000) }),
  'content that never closes': () => ({ content: '<'.repeat(200_000) }),
  'content of entities': () => ({ content: '&#0;&#x110000;&#xD800;&lt;script&gt;&amp;amp;'.repeat(100) }),
  'content with links of odd kinds': () => ({
    content: [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java\tscript:alert(1)',
      '&#106;avascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      '//x.example',
      'https://x.example@evil.example/',
    ]
      .map((href) => `<a href="${href}">x</a>`)
      .join(''),
  }),
  'content in svg and math': () => ({
    content: '<svg><script>1</script></svg><math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  }),
  'odd letters everywhere': () => ({
    summary: ODD_NAMES.join(' '),
    name: ODD_NAMES.join(' '),
    content: `<p>${ODD_NAMES.join(' ')}</p>`,
    sensitive: true,
  }),
  'half a letter everywhere': () => JSON.parse('{"content":"<p>\\ud800\\u0000x</p>","summary":"\\udfff\\u0000","name":"\\ud83d"}'),
  'a summary of a megabyte': () => ({ summary: 'w'.repeat(500_000) }),
  'itself as what it answers': (by) => ({ id: `${by.origin}/notes/self`, inReplyTo: `${by.origin}/notes/self` }),
  'lists as what it answers': () => ({ inReplyTo: [null, said.uri, 'javascript:1'] }),
  'itself as a quote': (by) => ({
    id: `${by.origin}/notes/quote`,
    quote: `${by.origin}/notes/quote`,
    quoteUri: `${by.origin}/notes/quote`,
  }),
  'replies that are itself': (by) => ({
    id: `${by.origin}/notes/replies`,
    replies: {
      type: 'Collection',
      first: { type: 'CollectionPage', items: [`${by.origin}/notes/replies`], next: `${by.origin}/notes/replies` },
    },
  }),
  'recipients that are nothing': () => ({ to: [null, 7, {}, [PUBLIC]], cc: 'x'.repeat(10_000) }),
  'everyone as an object': () => ({ to: { id: PUBLIC }, cc: [{ id: among.actorOf('mara') }] }),
  'a poll without options': () => ({ type: 'Question', oneOf: [], endTime: 'soon' }),
  'a poll of nulls': () => ({
    type: 'Question',
    oneOf: [null, { name: null }, { name: 'a' }, { name: 'a' }, { name: '\u0000b', replies: { totalItems: 1e308 } }],
  }),
  'a poll of both kinds': () => ({
    type: 'Question',
    oneOf: [{ name: 'a' }, { name: 'b' }],
    anyOf: [{ name: 'c' }, { name: 'd' }],
    closed: '0001-01-01T00:00:00Z',
    votersCount: -7,
  }),
  'a poll that ended in the year 1': () => ({
    type: 'Question',
    anyOf: [{ name: 'a' }, { name: 'b', replies: { totalItems: '7' } }],
    endTime: '0001-01-01T00:00:00Z',
  }),
  'a poll that ends in the year 9999': () => ({ type: 'Question', anyOf: [{ name: 'a' }, { name: 'b' }], endTime: '9999-01-01T00:00:00Z' }),
  'a language that is none': () => ({ contentMap: { 'x-\u0000': '<p>a</p>' }, language: { identifier: 'xx'.repeat(100) } }),
  'many types': () => ({ type: ['Person', 'Note', 'Tombstone', null, 7] }),
  'a type of numbers': () => ({ type: 7 }),
  'booleans as text': () => ({ sensitive: 'true', summary: true }),
}

const PEOPLE: Record<string, (by: Json) => object> = {
  'an inbox on this machine': () => ({ inbox: 'http://localhost:1/inbox' }),
  'an inbox of ours': () => ({ inbox: `${world.address}/inbox` }),
  'a key of 512 bits': (by) => ({
    publicKey: {
      ...by.document.publicKey,
      publicKeyPem: generateKeyPairSync('rsa', { modulusLength: 512 }).publicKey.export({ type: 'spki', format: 'pem' }),
    },
  }),
  'a key that is no key': (by) => ({
    publicKey: { ...by.document.publicKey, publicKeyPem: '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----' },
  }),
  'a key of another kind': (by) => ({
    publicKey: {
      ...by.document.publicKey,
      publicKeyPem: generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' }),
    },
  }),
  'a key of another owner': (by) => ({ publicKey: { ...by.document.publicKey, owner: among.actorOf('mara') } }),
  'a key elsewhere': (by) => ({ publicKey: { ...by.document.publicKey, id: 'https://elsewhere.example/key' } }),
  'keys with nulls': () => ({ publicKey: [null, 7, {}], assertionMethod: [null] }),
  'a name in other letters': () => ({ preferredUsername: 'mаra' }),
  'a name with a slash': () => ({ preferredUsername: '../mara' }),
  'a name with a host': () => ({ preferredUsername: `mara@${new URL(world.address).host}` }),
  'a name that is an object': () => ({ preferredUsername: { name: 'mara' } }),
  'an id of ours': () => ({ id: among.actorOf('mara') }),
  'an id with a fragment': (by) => ({ id: `${by.uri}#me` }),
}

/** People who are read all the same. */
const ODD_PEOPLE: Record<string, (by: Json) => object> = {
  'odd letters everywhere': () => ({
    name: ODD_NAMES.join(' '),
    summary: ODD_NAMES.join(' '),
    attachment: ODD_NAMES.map((name) => ({ type: 'PropertyValue', name, value: name })),
  }),
  'half a letter': () =>
    JSON.parse(
      '{"name":"\\ud800\\u0000","summary":"<p>\\udfff</p>","attachment":[{"type":"PropertyValue","name":"\\ud800","value":"\\u0000"}]}',
    ),
  'pictures of odd places': () => ({
    icon: { url: 'javascript:1' },
    image: [null, 'data:image/png,x', { url: 'http://127.0.0.1:1/x' }],
    url: 'javascript:alert(1)',
  }),
  'fields of odd links': () => ({
    attachment: [null, { type: 'PropertyValue', name: 'x', value: '<a href="javascript:alert(1)" rel="me">x</a>' }],
  }),
  'aliases without end': (by) => ({
    alsoKnownAs: [by.uri, null, 7, ...Array.from({ length: 500 }, (_, index) => `https://x.example/${index}`)],
  }),
  'a date long ago': () => ({ published: '0001-01-01T00:00:00Z' }),
  'a date to come': () => ({ published: '2999-01-01T00:00:00Z' }),
  'followers that are a loop': (by) => ({ followers: by.uri, following: by.uri, outbox: by.uri, featured: by.uri }),
  'a move to themselves': (by) => ({ movedTo: by.uri, alsoKnownAs: by.uri }),
  'flags that are text': () => ({ manuallyApprovesFollowers: 'yes', discoverable: 'no', memorial: 1, suspended: 'x' }),
  'a note of a megabyte': () => ({ summary: `<p>${'n'.repeat(700_000)}</p>` }),
}

const ACTS: Record<string, (by: Stranger) => Json> = {
  'an Announce of an Announce': (by) => nested('Announce', 2, by, said.uri),
  'an Announce of an Announce of a Create': (by) => nested('Announce', 2, by, create(by)),
  'an Undo of an Undo': (by) => nested('Undo', 2, by, nested('Like', 1, by, said.uri)),
  'an Undo of Undos without end': (by) => nested('Undo', 20, by, said.uri),
  'an Undo of itself': (by) => ({ id: `${by.origin}/u`, type: 'Undo', object: `${by.origin}/u` }),
  'an Undo of a Create': (by) => ({ type: 'Undo', object: { ...create(by), id: `${by.origin}/c`, actor: by.uri } }),
  'an Undo of what is ours': () => ({ type: 'Undo', object: `${said.uri}/activity` }),
  'an Accept of nothing': () => ({ type: 'Accept', object: null }),
  'an Accept of a status': () => ({ type: 'Accept', object: said.uri }),
  'an Accept of an Accept': (by) => nested('Accept', 3, by, among.actorOf('mara')),
  'an Add to a collection of ours': () => ({ type: 'Add', object: said.uri, target: `${among.actorOf('mara')}/collections/featured` }),
  'a Remove from a collection of ours': () => ({ type: 'Remove', object: said.uri, target: `${among.actorOf('mara')}/followers` }),
  'an Add to nothing': () => ({ type: 'Add', object: said.uri, target: [null, {}, 7] }),
  'a report of thousands': (by) => ({
    type: 'Flag',
    content: 'x'.repeat(100_000),
    object: [...Array.from({ length: 5000 }, (_, index) => `${by.origin}/${index}`), said.uri],
  }),
  'a report of nothing': () => ({ type: 'Flag', content: { a: 1 }, object: [null, {}, 7] }),
  'a report of odd letters': () => ({ type: 'Flag', content: ODD_NAMES.join(' '), object: [among.actorOf('mara'), said.uri] }),
  'a Follow of a status': () => ({ type: 'Follow', object: said.uri }),
  'a Follow of themselves': (by) => ({ type: 'Follow', object: by.uri }),
  'a Follow of the server': () => ({ type: 'Follow', object: `${world.address}/actor` }),
  'a Follow of everyone': () => ({ type: 'Follow', object: PUBLIC }),
  'a Like of a person': () => ({ type: 'Like', object: among.actorOf('mara') }),
  'a Like of nothing': () => ({ type: 'Like', object: [null], content: { a: 1 } }),
  'a Block of themselves': (by) => ({ type: 'Block', object: by.uri }),
  'a Move to mara': (by) => ({ type: 'Move', object: by.uri, target: among.actorOf('mara') }),
  'a Move of mara': (by) => ({ type: 'Move', object: among.actorOf('mara'), target: by.uri }),
  'a Delete of mara': () => ({ type: 'Delete', object: among.actorOf('mara') }),
  'a Delete of a status of ours': () => ({ type: 'Delete', object: { type: 'Tombstone', id: said.uri } }),
  'a Delete of everyone': () => ({ type: 'Delete', object: PUBLIC }),
  'an Update of mara': () => ({
    type: 'Update',
    object: { id: among.actorOf('mara'), type: 'Person', inbox: 'https://evil.example/inbox', name: 'evil' },
  }),
  'an Update of themselves as a note': (by) => ({ type: 'Update', object: { ...among.note(by), id: by.uri, inbox: 7 } }),
  'a type that everything has': () => ({ type: 'constructor', object: said.uri }),
  'a type of prototypes': () => ({ type: '__proto__', object: said.uri }),
  'a vote that is a note': (by) => ({
    type: 'Create',
    object: { ...among.note(by), content: undefined, name: 'a', inReplyTo: said.uri, to: among.actorOf('mara') },
  }),
  'a vote for what is not there': (by) => ({
    type: 'Create',
    object: { ...among.note(by), content: undefined, name: 'c', inReplyTo: poll.uri },
  }),
  'a QuoteRequest of nothing': () => ({ type: 'QuoteRequest', object: null, instrument: [null] }),
  'a Create of a Create': (by) => ({ type: 'Create', object: { ...create(by), id: `${by.origin}/c2`, actor: by.uri } }),
  'a Create of what cannot be had': (by) => ({ type: 'Create', object: `${by.origin}/nowhere` }),
}

/** Sends an activity; what is not taken is refused as what it is. */
const sends = async (by: Stranger, activity: object, id?: string): Promise<number> => {
  const status = await among.deliver(by, { id: id ?? `${by.origin}/activities/${++made}`, actor: by.uri, ...activity })
  expect(status).toBeLessThan(500)
  await among.idle()
  return status
}

/** What was accepted and failed for a reason of ours: it is tried again. */
const faults = () =>
  query(world, `select id, error from federation.received_activity where attempts > 0 and (error not like 'Failure%' or done_at is null)`)

const links = (value: Json): string[] => {
  if (typeof value === 'string') return /^[a-z]+:\/?\/?/i.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(links) : []
}

/** What the pages of mara show: answers, links of the web alone, text that is text, dates. */
const expectPagesSound = async () => {
  for (const path of [
    '/api/v1/timelines/home?limit=40',
    '/api/v1/notifications?limit=40',
    '/api/v1/timelines/public?limit=40',
    `/api/v1/statuses/${said.id}/context`,
  ]) {
    const { status, text, body } = await mara.get(path)
    expect([path, status]).toEqual([path, 200])
    expect(text).not.toMatch(/javascript:|<script|onerror|onload|<svg|<iframe|\\u0000|\\ud[89a-f]/i)
    const dates = [...text.matchAll(/"(?:created_at|edited_at|expires_at)":"([^"]*)"/g)].map(([, date]) => date!)
    expect(dates.filter((date) => Number.isNaN(Date.parse(date)) || date.length !== 24)).toEqual([])
    expect(links(body).filter((link) => !/^https?:\/\//i.test(link))).toEqual([])
  }
}

describe('a hostile server', () => {
  it.each(Object.entries(NOTES))('sends a status with %s: it is kept soundly, or not at all', async (_what, change) => {
    const by = stranger()
    await sends(by, create(by, change(by)))
    expect(await faults()).toEqual([])
    await expectPagesSound()
  })

  it.each(Object.entries(PEOPLE))('signs as someone with %s: refused', async (_what, change) => {
    const by = stranger()
    among.servers.show(by.uri, { ...by.document, ...change(by) })
    expect(await sends(by, create(by))).toBe(401)
    expect(await faults()).toEqual([])
  })

  it.each(Object.entries(ODD_PEOPLE))('shows someone with %s: they are shown soundly', async (_what, change) => {
    const by = stranger()
    among.servers.show(by.uri, { ...by.document, ...change(by) })
    expect(await sends(by, create(by))).toBe(202)
    expect(await faults()).toEqual([])
    const account = await found(mara, by.uri)
    expect((await mara.get(`/api/v1/accounts/${account.id}`)).status).toBe(200)
    await expectPagesSound()
  })

  it.each(Object.entries(ACTS))('sends %s: nothing of ours changes', async (_what, activity) => {
    const by = stranger()
    const before = (await mara.get(`/api/v1/accounts/${mara.id}`)).body
    const { id, ...rest } = activity(by)
    await sends(by, rest, id)
    expect(await faults()).toEqual([])
    const after = (await mara.get(`/api/v1/accounts/${mara.id}`)).body
    expect({ ...after, followers_count: before.followers_count }).toEqual(before)
    const { content, favourites_count } = (await mara.get(`/api/v1/statuses/${said.id}`)).body
    expect([content, favourites_count]).toEqual(['<p>said</p>', 0])
    expect((await mara.get(`/api/v1/statuses/${poll.id}`)).body.poll.votes_count).toBe(0)
    expect((await mara.get(`/api/v1/accounts/${mara.id}/statuses?pinned=true`)).body).toEqual([])
  })

  it('sends activities with ids of every kind, which are refused or count as theirs', async () => {
    for (const id of [7, [], {}, '', 'x', ' ', 'javascript:1', said.uri, 'https://elsewhere.example/1', 'x'.repeat(5000)]) {
      const by = stranger()
      expect([id, await among.deliver(by, { id, type: 'Like', actor: by.uri, object: said.uri })]).toEqual([id, 400])
    }
    const nameless = stranger()
    expect(await among.deliver(nameless, { id: null, type: 'Like', actor: nameless.uri, object: said.uri })).toBe(202)
    await among.idle()
    expect((await mara.get(`/api/v1/statuses/${said.id}`)).body.favourites_count).toBe(1)
  })

  it('answers a boost, likes it, quotes it and boosts it: the status that was boosted is meant, or nothing', async () => {
    const by = stranger()
    const other = stranger()
    const boost = { id: `${by.origin}/boosts/1`, type: 'Announce', actor: by.uri, to: [PUBLIC], object: said.uri }
    await sends(by, boost, boost.id)
    await sends(other, { type: 'Announce', to: [PUBLIC], object: boost.id })
    await sends(other, create(other, { inReplyTo: boost.id }))
    await sends(other, create(other, { quote: boost.id }))
    await sends(other, { type: 'Announce', to: [PUBLIC], object: boost })
    expect(await faults()).toEqual([])
    await expectPagesSound()
    const reblogs = await query(
      world,
      'select count(*)::int count from statuses.status_head boost join statuses.status_head meant on meant.id = boost.reblog_of_id where meant.reblog_of_id is not null',
    )
    expect(reblogs).toEqual([{ count: 0 }])
    const answers = await query(
      world,
      'select count(*)::int count from statuses.status s join statuses.status_head meant on meant.id = s.in_reply_to_id where meant.reblog_of_id is not null',
    )
    expect(answers).toEqual([{ count: 0 }])
    await sends(by, { type: 'Undo', object: boost })
  })

  it('moves people in a circle', async () => {
    const [one, other] = [stranger(), stranger()]
    const accounts = [await found(mara, one.uri), await found(mara, other.uri)]
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      among.servers.show(from.uri, { ...from.document, movedTo: to.uri, alsoKnownAs: [to.uri] })
      among.servers.show(to.uri, { ...to.document, movedTo: from.uri, alsoKnownAs: [from.uri] })
      await sends(from, { type: 'Move', object: from.uri, target: to.uri })
    }
    expect(await faults()).toEqual([])
    for (const { id } of accounts) expect((await mara.get(`/api/v1/accounts/${id}`)).status).toBe(200)
  })

  it('votes twice, for two options, after the end and without leave', async () => {
    const asked = await mara.says('tea?', { poll: { options: ['a', 'b'], expires_in: 300 } })
    const hidden = await mara.says('for followers', { visibility: 'private', poll: { options: ['a', 'b'], expires_in: 3600 } })
    const vote = async (by: Stranger, status: Json, name: string) => {
      const note = { ...among.note(by), content: undefined, name, inReplyTo: status.uri, to: [among.actorOf('mara')], cc: [] }
      await sends(by, { type: 'Create', object: note })
    }
    const by = stranger()
    for (const name of ['a', 'a', 'b']) await vote(by, asked, name)
    await vote(stranger(), hidden, 'a')
    await world.advance(600_000)
    await vote(stranger(), asked, 'b')
    const votes = async ({ id }: Json) =>
      (await mara.get(`/api/v1/statuses/${id}`)).body.poll.options.map((option: Json) => option.votes_count)
    expect([await votes(asked), await votes(hidden)]).toEqual([
      [1, 0],
      [0, 0],
    ])
    expect(await faults()).toEqual([])
  })

  it('is refused by an id that is too long to be kept, and keeps out no one who comes at the same moment', async () => {
    const [ann, ben] = [stranger(), stranger()]
    const uri = `${ann.origin}/${randomBytes(1500).toString('base64url')}`
    const keyId = `${uri}#main-key`
    among.servers.show(uri, { ...ann.document, id: uri, publicKey: { ...ann.document.publicKey, id: keyId, owner: uri } })
    const long: Stranger = {
      ...ann,
      uri,
      signed: (url, body, more) => ann.signed(url, body, { ...more, key: { keyId, privateKey: ann.privateKey } }),
    }
    const activity = (by: Stranger, id = `${by.origin}/activities/${++made}`) => ({
      id,
      type: 'Follow',
      actor: by.uri,
      object: among.actorOf('mara'),
    })
    const edge = `${ben.origin}/${randomBytes(2048).toString('base64url')}`.slice(0, 2048)
    const answers = await Promise.all([
      among.deliver(long, activity(long)),
      among.deliver(ben, activity(ben)),
      among.deliver(ben, { ...activity(ben, edge), type: 'Undo' }),
    ])
    expect(answers).toEqual([400, 202, 202])
    await among.idle()
    expect(await faults()).toEqual([])
  })

  it('is not someone else of its host, nor deletes, answers for or takes back as them', async () => {
    const host = 'shared.example'
    const [ann, evil] = [stranger({}, host), stranger({}, host)]
    const account = await found(mara, ann.uri)
    await mara.post(`/api/v1/accounts/${account.id}/follow`)
    await among.idle()
    const follow = among.sent('Follow', ({ object }) => object === ann.uri)
    await sends(evil, { type: 'Accept', object: follow })
    await sends(evil, { type: 'Accept', object: follow.id })
    expect(await relationship(mara, account)).toMatchObject({ following: false, requested: true })
    await sends(ann, { type: 'Accept', object: follow })
    await sends(evil, { type: 'Reject', object: follow })
    await sends(evil, { type: 'Reject', object: follow.id })
    await sends(evil, { type: 'Delete', object: ann.uri })
    await sends(evil, { type: 'Move', object: ann.uri, target: evil.uri })
    await sends(evil, { type: 'Update', object: { ...ann.document, name: 'evil' } })
    expect(await relationship(mara, account)).toMatchObject({ following: true })
    expect((await mara.get(`/api/v1/accounts/${account.id}`)).body).toMatchObject({ display_name: ann.name })
    expect(
      await among.deliver({ ...evil, signed: evil.signed } as Stranger, {
        id: `${ann.origin}/x`,
        type: 'Delete',
        actor: ann.uri,
        object: ann.uri,
      }),
    ).toBe(202)
    await among.idle()
    expect(await relationship(mara, account)).toMatchObject({ following: true })
  })
})
