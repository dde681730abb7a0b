import { DomainImportsDefinition } from '@rookery/contracts/federation'
import type { Person, World } from '@rookery/test-world'
import { innerCall, innerClient } from '@rookery/test-world/calls'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digestOf } from '../src/followers/index.ts'
import { openAmongStrangers, PUBLIC } from './strangers.ts'
import { found, relationship } from './two-servers.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let among: Awaited<ReturnType<typeof openAmongStrangers>>
let world: World
let mara: Person
let owner: Person

beforeAll(async () => {
  among = await openAmongStrangers()
  world = among.world
  mara = await world.person('mara')
  owner = await world.owner('owner')
  await mara.asks('PATCH', '/api/v2/notifications/policy', { body: { for_private_mentions: 'accept' } })
})

afterAll(() => among?.close())

const mentions = async (person: Person): Promise<Json[]> =>
  (await person.notifications('?types[]=mention&limit=40')).map(({ status }) => status)

/** A note that mentions mara is delivered and read by her. */
const mentioned = async (stranger: ReturnType<typeof among.stranger>, more: Record<string, unknown> = {}) => {
  const note = among.note(stranger, { tag: [among.mention('mara')], cc: [among.actorOf('mara')], ...more })
  await among.sends(stranger, { type: 'Create', object: note })
  return { note, status: (await mentions(mara)).find(({ uri }) => uri === note.id) }
}

const reads = async (id: string): Promise<Json> => (await mara.get(`/api/v1/statuses/${id}`)).body
const knownAccounts = async (): Promise<string[]> =>
  (await owner.get('/api/v2/admin/accounts?origin=remote&limit=200')).body.map(({ username }: Json) => username)

describe('a stranger whom no one here knows', () => {
  it('is found by a search that resolves, and not by a lookup', async () => {
    const { host, uri } = among.stranger('sought')
    const lookup = () => mara.get(`/api/v1/accounts/lookup?acct=sought@${host}`)
    const start = among.servers.arrived.length
    expect((await lookup()).status).toBe(404)
    expect(among.servers.arrived.slice(start)).toEqual([])
    const { id } = await found(mara, uri)
    expect((await lookup()).body.id).toBe(id)
  })
})

describe('what a stranger says', () => {
  it('reaches whom it mentions, once, though it comes twice', async () => {
    const ann = among.stranger('ann')
    const { note, status } = await mentioned(ann)
    expect(status).toMatchObject({ content: '<p>hello</p>', visibility: 'public', account: { acct: `ann@${ann.host}` } })
    await among.sends(ann, { type: 'Create', object: note })
    expect((await mentions(mara)).filter(({ uri }) => uri === note.id)).toHaveLength(1)
  })

  it('is dropped where it concerns no one here, and its author stays unknown', async () => {
    const ben = among.stranger('unconcerned')
    await among.sends(ben, { type: 'Create', object: among.note(ben) })
    expect(await knownAccounts()).not.toContain('unconcerned')
  })

  it('shows no HTML beyond what posts have', async () => {
    const cem = among.stranger('cem')
    const content =
      '<script>alert(1)</script><p onclick="x()">a<img src=x onerror=alert(1)> <a href="javascript:alert(1)">b</a></p><iframe src="//x"></iframe><style>*{}</style><svg onload=alert(1)>'
    const { status } = await mentioned(cem, { content, summary: '<b onmouseover=alert(1)>w</b>' })
    expect(status.content).not.toMatch(/script|onclick|onerror|onload|iframe|style|svg|img/)
    expect(status.content).toContain('a')
    expect(status.spoiler_text).toBe('w')
  })

  it('that they are suspended where they are hides them until they say otherwise; what staff here decided stays', async () => {
    const jon = among.stranger('jon')
    const { status } = await mentioned(jon)
    const { id } = status.account
    const says = async (suspended: boolean) => {
      const document = { ...jon.document, suspended }
      among.servers.show(jon.uri, document)
      await among.sends(jon, { type: 'Update', object: document })
      return [(await reads(`${status.id}`)).error === undefined, (await mara.get(`/api/v1/accounts/${id}`)).body.suspended ?? false]
    }
    expect(await says(true)).toEqual([false, true])
    expect(await says(false)).toEqual([true, false])
    await owner.post(`/api/v1/admin/accounts/${id}/action`, { type: 'suspend' })
    await among.idle()
    expect(await says(false)).toEqual([false, true])
    expect(await says(true)).toEqual([false, true])
    expect(await says(false)).toEqual([false, true])
  })

  it('is a direct message where it names one person alone, and no one else sees it', async () => {
    const dora = among.stranger('dora')
    const { status } = await mentioned(dora, { to: [among.actorOf('mara')], cc: [] })
    expect(status.visibility).toBe('direct')
    const other = await world.person('eavesdropper')
    expect((await other.get(`/api/v1/statuses/${status.id}`)).status).toBe(404)
  })

  it('is not a mention of those who are recipients without a tag', async () => {
    const eva = among.stranger('eva')
    const before = (await mentions(mara)).length
    const note = among.note(eva, { cc: [among.actorOf('mara')] })
    await among.sends(eva, { type: 'Create', object: note })
    expect(await mentions(mara)).toHaveLength(before)
  })

  it.each([
    ['that says when', { updated: '2029-01-01T00:00:00Z' }],
    ['that says no time', {}],
  ])('is edited by an update %s, also where it never said when it was published', async (_what, said) => {
    const uma = among.stranger(`undated${'updated' in said}`)
    const { note, status } = await mentioned(uma, { published: undefined })
    world.clock.advance(1000)
    await among.sends(uma, { type: 'Update', object: note })
    expect((await reads(status.id)).edited_at).toBeNull()
    await among.sends(uma, { type: 'Update', object: { ...note, content: '<p>edited</p>', ...said } })
    expect(await reads(status.id)).toMatchObject({ content: '<p>edited</p>', edited_at: expect.any(String), visibility: 'public' })
  })

  it('is edited again and deleted by activities that all have the id of the post', async () => {
    const wes = among.stranger('writefreely')
    const note = among.note(wes, { cc: [among.actorOf('mara')], tag: [among.mention('mara')] })
    await among.sends(wes, { type: 'Create', id: note.id, object: note })
    const status = (await mentions(mara)).find(({ uri }) => uri === note.id)
    for (const content of ['<p>changed</p>', '<p>changed again</p>']) {
      world.clock.advance(1000)
      await among.sends(wes, { type: 'Update', id: note.id, object: { ...note, content } })
      expect((await reads(status.id)).content).toBe(content)
    }
    await among.sends(wes, { type: 'Delete', id: note.id, object: note })
    expect((await mara.get(`/api/v1/statuses/${status.id}`)).status).toBe(404)
  })

  it('is theirs where the object names no author, as they signed the activity that holds it', async () => {
    const una = among.stranger('unattributed')
    const { status } = await mentioned(una, { attributedTo: undefined })
    expect(status.account.acct).toBe(`unattributed@${una.host}`)
  })

  it('mentions who is tagged without being a recipient', async () => {
    const { status } = await mentioned(among.stranger('fay'), { cc: [] })
    expect(status).toBeDefined()
  })

  it('keeps its files, poll, tags and emoji', async () => {
    const gil = among.stranger('gil')
    const { status } = await mentioned(gil, {
      type: 'Question',
      oneOf: ['yes', 'no'].map((name) => ({ type: 'Note', name, replies: { type: 'Collection', totalItems: 3 } })),
      endTime: new Date(world.clock.now() + 3_600_000).toISOString(),
      attachment: { type: 'Document', mediaType: 'image/png', url: `${gil.origin}/1.png`, name: 'a wren', blurhash: 'LEHV6nWB2yk8' },
      tag: [
        among.mention('mara'),
        { type: 'Hashtag', name: '#Wren', href: `${gil.origin}/tags/wren` },
        { type: 'Emoji', name: ':tea:', icon: { type: 'Image', url: `${gil.origin}/tea.png` } },
      ],
      content: '<p>:tea:</p>',
    })
    expect(status.poll.options).toEqual([
      { title: 'yes', votes_count: 3 },
      { title: 'no', votes_count: 3 },
    ])
    expect(status.media_attachments).toMatchObject([{ type: 'image', description: 'a wren', blurhash: 'LEHV6nWB2yk8' }])
    expect(status.tags.map(({ name }: Json) => name)).toEqual(['wren'])
    expect(status.emojis.map(({ shortcode }: Json) => shortcode)).toEqual(['tea'])
  })
})

describe('what has a title is a status that begins with it', () => {
  it.each([
    ['Article', { content: '<p>wrens are small</p>' }, 'wrens are small', []],
    ['Event', { startTime: '2026-05-01T10:00:00Z', location: { type: 'Place', name: 'the lake' } }, 'the lake', []],
    ['Video', { url: [{ type: 'Link', mediaType: 'video/mp4', href: 'https://films.example/1.mp4', height: 720 }] }, '', ['video']],
    ['Image', { url: [{ type: 'Link', mediaType: 'image/png', href: 'https://films.example/1.png' }] }, '', ['image']],
  ])('%s', async (type, more, said, files) => {
    const { status } = await mentioned(among.stranger(`titles${type.toLowerCase()}`), { type, name: `On ${type}s`, content: '', ...more })
    expect(status.content).toMatch(new RegExp(`^<p><strong>On ${type}s</strong></p>`))
    expect(status.content).toContain(said)
    expect(status.media_attachments.map((file: Json) => file.type)).toEqual(files)
  })
})

describe('is not believed', () => {
  it('an update by another than the author', async () => {
    const { note, status } = await mentioned(among.stranger('author1'))
    const evil = among.stranger('evil1')
    await among.sends(evil, { type: 'Update', object: { ...note, content: '<p>forged</p>', updated: '2099-01-01T00:00:00Z' } })
    await among.sends(evil, {
      type: 'Update',
      object: { ...note, attributedTo: evil.uri, content: '<p>forged</p>', updated: '2099-01-01T00:00:00Z' },
    })
    expect((await reads(status.id)).content).toBe('<p>hello</p>')
  })

  it('an update by another person of the same server', async () => {
    const { note, status } = await mentioned(among.stranger('author2', 'shared.example'))
    const evil = among.stranger('evil2', 'shared.example')
    await among.sends(evil, {
      type: 'Update',
      object: { ...note, attributedTo: evil.uri, content: '<p>forged</p>', updated: '2099-01-01T00:00:00Z' },
    })
    expect((await reads(status.id)).content).toBe('<p>hello</p>')
  })

  it('a deletion by another than the author', async () => {
    const { note, status } = await mentioned(among.stranger('author3'))
    await among.sends(among.stranger('evil3'), { type: 'Delete', object: note.id })
    expect((await reads(status.id)).content).toBe('<p>hello</p>')
  })

  it('a status attributed to someone else', async () => {
    const victim = among.stranger('victim4')
    const evil = among.stranger('evil4')
    const forged = { ...among.note(evil, { tag: [among.mention('mara')] }), attributedTo: victim.uri }
    await among.sends(evil, { type: 'Create', object: forged })
    const elsewhere = { ...forged, id: `${victim.origin}/notes/forged` }
    await among.sends(evil, { type: 'Create', object: elsewhere })
    expect((await mentions(mara)).some(({ uri }) => uri === forged.id || uri === elsewhere.id)).toBe(false)
  })

  it('the text of a boosted status that is sent along', async () => {
    const author = among.stranger('author5')
    const booster = among.stranger('booster5')
    const account = await found(mara, `${booster.uri}`)
    await mara.post(`/api/v1/accounts/${account.id}/follow`)
    await among.idle()
    const follow = among.sent('Follow', ({ object }) => object === booster.uri)
    await among.sends(booster, { type: 'Accept', object: follow })
    expect(await relationship(mara, account)).toMatchObject({ following: true })
    const note = among.note(author)
    await among.sends(booster, { type: 'Announce', to: [PUBLIC], object: { ...note, content: '<p>forged</p>' } })
    const boost = (await mara.home()).find(({ reblog }) => reblog?.uri === note.id)
    expect(boost.reblog.content).toBe('<p>hello</p>')
  })

  it('an Accept of a follow that was never requested', async () => {
    const evil = among.stranger('evil6')
    const account = await found(mara, evil.uri)
    await among.sends(evil, {
      type: 'Accept',
      object: { id: `${among.actorOf('mara')}#follows/1`, type: 'Follow', actor: among.actorOf('mara'), object: evil.uri },
    })
    expect(await relationship(mara, account)).toMatchObject({ following: false, requested: false })
  })

  it('taking back what another did', async () => {
    const status = await mara.says('undo me')
    const fan = among.stranger('fan7')
    const evil = among.stranger('evil7')
    const like = { id: `${fan.origin}/likes/7`, type: 'Like', actor: fan.uri, object: status.uri }
    await among.sends(fan, like)
    await among.sends(evil, { type: 'Undo', object: like })
    await among.sends(evil, { type: 'Undo', object: like.id })
    expect((await reads(status.id)).favourites_count).toBe(1)
    await among.sends(fan, { type: 'Undo', object: like.id })
    expect((await reads(status.id)).favourites_count).toBe(0)
  })

  it.each<[string, (uri: string) => unknown]>([
    ['by its id', (uri) => uri],
    ['as a boost', (uri) => ({ id: uri, type: 'Announce', object: uri })],
  ])('taking back, %s, a status of another server that did not come yet', async (how, named) => {
    const [author, thief] = [among.stranger(`robbed${how.length}`), among.stranger(`robber${how.length}`)]
    await found(mara, thief.uri)
    const note = among.note(author, { tag: [among.mention('mara')] })
    await among.sends(thief, { type: 'Undo', object: named(note.id) })
    await among.sends(author, { type: 'Create', object: note })
    expect((await mentions(mara)).some(({ uri }) => uri === note.id)).toBe(true)
  })

  it('a move to an account that does not name the old one', async () => {
    const old = among.stranger('old8')
    const elsewhere = among.stranger('target8')
    const account = await found(mara, old.uri)
    among.servers.show(old.uri, { ...old.document, movedTo: elsewhere.uri })
    await among.sends(old, { type: 'Move', object: old.uri, target: elsewhere.uri })
    expect((await mara.get(`/api/v1/accounts/${account.id}`)).body.moved ?? null).toBeNull()
    among.servers.show(elsewhere.uri, { ...elsewhere.document, alsoKnownAs: [old.uri] })
    await among.sends(old, { type: 'Move', object: old.uri, target: elsewhere.uri })
    expect((await mara.get(`/api/v1/accounts/${account.id}`)).body.moved).toMatchObject({ username: 'target8' })
  })

  it('a move to another account than its profile names', async () => {
    const [old, named, elsewhere] = ['old9', 'named9', 'target9'].map((name) => among.stranger(name))
    const account = await found(mara, old!.uri)
    among.servers.show(old!.uri, { ...old!.document, movedTo: named!.uri })
    among.servers.show(elsewhere!.uri, { ...elsewhere!.document, alsoKnownAs: [old!.uri] })
    await among.sends(old!, { type: 'Move', object: old!.uri, target: elsewhere!.uri })
    expect((await mara.get(`/api/v1/accounts/${account.id}`)).body.moved ?? null).toBeNull()
  })
})

describe('a move of someone whose server', () => {
  it('does not say in their profile that they moved counts, when the new account names the old one', async () => {
    const [old, next] = ['old10', 'next10'].map((name) => among.stranger(name))
    const account = await found(mara, old!.uri)
    among.servers.show(next!.uri, { ...next!.document, alsoKnownAs: [old!.uri] })
    await among.sends(old!, { type: 'Move', object: old!.uri, target: next!.uri })
    expect((await mara.get(`/api/v1/accounts/${account.id}`)).body.moved).toMatchObject({ username: 'next10' })
  })

  it('says that they are back shows them as not moved, and they can be followed again', async () => {
    const [old, next] = ['old11', 'next11'].map((name) => among.stranger(name))
    const account = await found(mara, old!.uri)
    among.servers.show(next!.uri, { ...next!.document, alsoKnownAs: [old!.uri] })
    among.servers.show(old!.uri, { ...old!.document, movedTo: next!.uri })
    await among.sends(old!, { type: 'Move', object: old!.uri, target: next!.uri })
    const moved = async () => (await mara.get(`/api/v1/accounts/${account.id}`)).body.moved?.username
    expect(await moved()).toBe('next11')
    await among.sends(old!, { type: 'Update', object: old!.document })
    expect(await moved()).toBeUndefined()
    expect((await mara.post(`/api/v1/accounts/${account.id}/follow`)).body).toMatchObject({ requested: true })
  })

  it('says in their profile alone that they moved shows them so, if the new account is known and names the old one', async () => {
    const [old, next, stranger] = ['old12', 'next12', 'stranger12'].map((name) => among.stranger(name))
    const account = await found(mara, old!.uri)
    const moves = async (target: string) => {
      await among.sends(old!, { type: 'Update', object: { ...old!.document, movedTo: target } })
      return (await mara.get(`/api/v1/accounts/${account.id}`)).body.moved?.username
    }
    among.servers.show(next!.uri, { ...next!.document, alsoKnownAs: [old!.uri] })
    expect(await moves(next!.uri)).toBeUndefined()
    await found(mara, next!.uri)
    expect(await moves(next!.uri)).toBe('next12')
    await found(mara, stranger!.uri)
    expect(await moves(stranger!.uri)).toBeUndefined()
    expect(await moves(among.actorOf('mara'))).toBeUndefined()
  })
})

describe('a digest of followers', () => {
  const ZEROS = '0'.repeat(64)
  const OTHERS = 'ab'.repeat(32)
  /** Mara follows someone, whose server then says who follows them. */
  const followed = async (name: string) => {
    const ann = among.stranger(name)
    const account = await found(mara, ann.uri)
    await mara.post(`/api/v1/accounts/${account.id}/follow`)
    await among.idle()
    await among.sends(ann, { type: 'Accept', object: { type: 'Follow', actor: among.actorOf('mara'), object: ann.uri } })
    const list = `${ann.origin}/sync`
    among.servers.show(list, { id: list, type: 'OrderedCollection', orderedItems: [] })
    const says = async (collectionId: string, url: string, digest: string): Promise<boolean> => {
      const header = `collectionId="${collectionId}", url="${url}", digest="${digest}"`
      await among.sends(ann, { type: 'Create', object: among.note(ann) }, { 'collection-synchronization': header })
      return (await relationship(mara, account)).following
    }
    return { ann, list, says }
  }

  it('ends a follow that its server does not list', async () => {
    const { ann, list, says } = await followed('sync1')
    expect(await says(`${ann.uri}/followers`, list, ZEROS)).toBe(false)
  })

  it.each<[string, (uri: string) => object]>([
    ['a single one', (uri) => ({ items: uri })],
    ['a page within', (uri) => ({ first: { type: 'CollectionPage', items: [uri] } })],
  ])('is compared with a list of %s', async (what, listed) => {
    const { ann, list, says } = await followed(`sync${what.length}`)
    const other = among.actorOf('someone_else')
    among.servers.show(list, { id: list, type: 'Collection', ...listed(other) })
    expect(await says(`${ann.uri}/followers`, list, digestOf([other]))).toBe(false)
  })

  it('changes nothing where the list has another digest, is elsewhere, or is of someone else', async () => {
    const { ann, list, says } = await followed('sync2')
    const other = among.stranger('sync3')
    const elsewhere = `${other.origin}/sync`
    among.servers.show(elsewhere, { id: elsewhere, type: 'OrderedCollection', orderedItems: [] })
    expect(await says(`${ann.uri}/followers`, list, OTHERS)).toBe(true)
    expect(await says(`${ann.uri}/followers`, elsewhere, ZEROS)).toBe(true)
    expect(await says(`${other.uri}/followers`, list, ZEROS)).toBe(true)
  })
})

describe('a quote', () => {
  const quoteOf = async (status: Json) => {
    const { quote } = await reads(status.id)
    return quote && [quote.state, quote.quoted_status?.uri ?? null]
  }
  /** A note of someone, quoted by another with what is said to approve it. */
  const quotes = async (name: string, approval: (given: { quoted: Json; author: ReturnType<typeof among.stranger> }) => object) => {
    const author = among.stranger(`${name}author`)
    const quoter = among.stranger(`${name}quoter`)
    const quoted = among.note(author)
    const uri = `${author.origin}/approvals/${name}`
    const note = among.note(quoter, {
      quote: quoted.id,
      quoteAuthorization: uri,
      tag: [among.mention('mara')],
      cc: [among.actorOf('mara')],
    })
    const approved = { type: 'QuoteAuthorization', attributedTo: author.uri, interactingObject: note.id, interactionTarget: quoted.id }
    among.servers.show(uri, { id: uri, ...approved, ...approval({ quoted, author }) })
    await among.sends(quoter, { type: 'Create', object: note })
    return { author, quoter, quoted, note, uri, status: (await mentions(mara)).find((status) => status.uri === note.id) }
  }

  it('is shown once the server of what is quoted says that its author approves, until that author takes it back', async () => {
    const { status, quoted, uri, author, quoter } = await quotes('approved', () => ({}))
    expect(await quoteOf(status)).toEqual(['accepted', quoted.id])
    await among.sends(quoter, { type: 'Delete', object: uri })
    expect(await quoteOf(status)).toEqual(['accepted', quoted.id])
    await among.sends(author, { type: 'Delete', object: { id: uri, type: 'QuoteAuthorization' } })
    expect(await quoteOf(status)).toEqual(['revoked', null])
  })

  it.each<[string, number, string]>([
    ['cannot answer', 503, 'accepted'],
    ['says that there is none', 404, 'revoked'],
  ])('that was approved and is edited while the server of the approval %s (%d) is %s', async (_what, code, state) => {
    const { status, quoter, note, uri } = await quotes(`again${code}`, () => ({}))
    expect((await quoteOf(status))[0]).toBe('accepted')
    among.servers.on(`GET ${new URL(uri).host}${new URL(uri).pathname}`, (_request, response) => response.writeHead(code).end())
    world.clock.advance(60_000)
    await among.sends(quoter, { type: 'Update', object: { ...note, content: '<p>edited</p>' } })
    expect((await reads(status.id)).content).toContain('edited')
    expect((await quoteOf(status))[0]).toBe(state)
  })

  it('is shown once the server of its approval can be reached', async () => {
    const [author, quoter] = [among.stranger('laterauthor'), among.stranger('laterquoter')]
    const quoted = among.note(author)
    const uri = `${author.origin}/approvals/later`
    const more = { quote: quoted.id, quoteAuthorization: uri, tag: [among.mention('mara')], cc: [among.actorOf('mara')] }
    among.servers.on(`GET ${new URL(uri).host}${new URL(uri).pathname}`, (_request, response) => response.writeHead(503).end())
    const note = among.note(quoter, more)
    await among.sends(quoter, { type: 'Create', object: note })
    const status = (await mentions(mara)).find((each) => each.uri === note.id)
    expect((await quoteOf(status))[0]).toBe('pending')
    await world.advance(6 * 60_000)
    expect((await quoteOf(status))[0]).toBe('pending')
    const approved = { type: 'QuoteAuthorization', attributedTo: author.uri, interactingObject: note.id, interactionTarget: quoted.id }
    among.servers.show(uri, { id: uri, ...approved })
    await world.advance(21 * 60_000)
    expect(await quoteOf(status)).toEqual(['accepted', quoted.id])
  })

  it('that an update says is approved stays so when the status itself comes only then, from before that', async () => {
    const { status, quoter, note, quoted } = await quotes('overtaken', () => ({}))
    await among.sends(quoter, { type: 'Create', object: { ...note, quoteAuthorization: undefined } })
    expect(await quoteOf(status)).toEqual(['accepted', quoted.id])
    await among.sends(quoter, { type: 'Update', object: { ...note, quoteAuthorization: undefined } })
    expect(await quoteOf(status)).toEqual(['revoked', null])
  })

  it.each([
    ['of another quote', () => ({ interactingObject: 'https://x.example/1' })],
    ['of another status', () => ({ interactionTarget: 'https://x.example/1' })],
    ['by another person', ({ author }: Json) => ({ attributedTo: `${author.origin}/users/else` })],
    ['of another kind', () => ({ type: 'Note' })],
  ])('waits where the approval is %s', async (what, approval) => {
    const { status } = await quotes(`forged${what.replaceAll(' ', '')}`, approval)
    expect(await quoteOf(status)).toEqual(['pending', null])
  })

  it('of a server that knows no approval is shown where the policy of what is quoted lets everyone quote', async () => {
    const said = await mara.says('everyone may quote')
    const closed = await mara.says('no one may quote', { quote_approval_policy: 'nobody' })
    const quoter = among.stranger('misskey')
    const open = await mentioned(quoter, { _misskey_quote: said.uri, content: `<p class="quote-inline">RE: ${said.uri}</p><p>see</p>` })
    expect(await quoteOf(open.status)).toEqual(['accepted', said.uri])
    // Its own link instead of the one that came with it.
    expect(open.status.content).toMatch(/^<p class="quote-inline">RE: <a [^<]*(<span[^<]*<\/span>)+<\/a><\/p><p>see<\/p>$/)
    expect(await quoteOf((await mentioned(quoter, { quoteUrl: closed.uri })).status)).toBeNull()
    const unknown = among.note(among.stranger('nopolicy'))
    expect(await quoteOf((await mentioned(quoter, { quoteUri: unknown.id })).status)).toEqual(['pending', null])
  })

  it('of a status elsewhere is approved by the author of that alone', async () => {
    const author = among.stranger('quotable')
    const evil = among.stranger('evilapprover')
    const note = among.note(author, { interactionPolicy: { canQuote: { automaticApproval: [PUBLIC] } } })
    const found = (await mara.get(`/api/v2/search?q=${encodeURIComponent(note.id)}&type=statuses&resolve=true`)).body.statuses[0]
    const quoting = await mara.says('I quote', { quoted_status_id: found.id })
    await among.idle()
    const request = among.sent('QuoteRequest')
    expect(request).toMatchObject({ actor: among.actorOf('mara'), object: note.id, instrument: { id: quoting.uri, quote: note.id } })
    const accept = (origin: string) => ({ type: 'Accept', object: request, result: `${origin}/approvals/mine` })
    await among.sends(evil, accept(evil.origin))
    await among.sends(author, accept(evil.origin))
    expect(await quoteOf(quoting)).toEqual(['pending', null])
    await among.sends(author, accept(author.origin))
    expect(await quoteOf(quoting)).toEqual(['accepted', note.id])
    await among.sends(author, { type: 'Reject', object: request.id })
    expect(await quoteOf(quoting)).toEqual(['revoked', null])
  })
})

describe('out of order', () => {
  it('a deletion before the status keeps it out', async () => {
    const ann = among.stranger('early1')
    await found(mara, ann.uri)
    const note = among.note(ann, { tag: [among.mention('mara')] })
    await among.sends(ann, { type: 'Delete', object: { id: note.id, type: 'Tombstone' } })
    await among.sends(ann, { type: 'Create', object: note })
    expect((await mentions(mara)).some(({ uri }) => uri === note.id)).toBe(false)
  })

  it('a status that first arrives edited is shown as edited, and an edit before that changes nothing', async () => {
    const ann = among.stranger('early6')
    const [published, first, second] = [-3000, -2000, -1000].map((age) => new Date(world.clock.now() + age).toISOString())
    const { note, status } = await mentioned(ann, { published, updated: second, content: '<p>second edit</p>' })
    expect(await reads(status.id)).toMatchObject({ content: '<p>second edit</p>', edited_at: second })
    expect((await mara.get(`/api/v1/statuses/${status.id}/history`)).body).toMatchObject([
      { content: '<p>second edit</p>', created_at: second },
    ])
    await among.sends(ann, { type: 'Update', object: { ...note, updated: first, content: '<p>first edit</p>' } })
    expect(await reads(status.id)).toMatchObject({ content: '<p>second edit</p>', edited_at: second })
  })

  it('an update before the status is the status, and the older one changes nothing', async () => {
    const ann = among.stranger('early2')
    const note = among.note(ann, { tag: [among.mention('mara')] })
    const newer = { ...note, content: '<p>newer</p>', updated: new Date(world.clock.now() + 60_000).toISOString() }
    await among.sends(ann, { type: 'Update', object: newer })
    await among.sends(ann, { type: 'Create', object: note })
    const [status] = (await mentions(mara)).filter(({ uri }) => uri === note.id)
    expect(status.content).toBe('<p>newer</p>')
  })

  it('taking back a boost before it came keeps it out', async () => {
    const status = await mara.says('boost me later')
    const ann = among.stranger('early3')
    const boost = { id: `${ann.origin}/boosts/3`, type: 'Announce', actor: ann.uri, to: [PUBLIC], object: status.uri }
    await among.sends(ann, { type: 'Undo', object: boost })
    await among.sends(ann, boost)
    expect((await reads(status.id)).reblogs_count).toBe(0)
  })

  it('what an author posts and boosts before they accept a follow is in the home of who asked once they do', async () => {
    const [ann, joe] = [among.stranger('early4'), await world.person('early4')]
    const account = await found(joe, ann.uri)
    await joe.post(`/api/v1/accounts/${account.id}/follow`)
    await among.idle()
    const follow = among.sent('Follow', ({ object }) => object === ann.uri)
    const notes = [among.note(ann), among.note(ann, { to: [`${ann.uri}/followers`], cc: [] })]
    for (const object of notes) await among.sends(ann, { type: 'Create', object })
    const boosted = among.note(among.stranger('boosted4'))
    await among.sends(ann, { id: `${ann.origin}/boosts/4`, type: 'Announce', to: [PUBLIC], object: boosted.id })
    expect(await joe.home()).toEqual([])
    await among.sends(ann, { type: 'Accept', object: follow })
    const uris = (await joe.home()).map((status) => (status['reblog'] as Json)?.uri ?? status.uri)
    expect(uris.sort()).toEqual([...notes, boosted].map(({ id }) => id).sort())
  })

  it.each(['Follow', 'Block', 'Like'])('taking back a %s before it came keeps it out, and a later one counts', async (type) => {
    const status = await mara.says(`take back the ${type}`)
    const ann = among.stranger(`early${type.toLowerCase()}`)
    const account = await found(mara, ann.uri)
    const act = (number: number) => ({
      id: `${ann.origin}/acts/${number}`,
      type,
      actor: ann.uri,
      object: type === 'Like' ? status.uri : among.actorOf('mara'),
    })
    const is = async () => {
      const { followed_by, blocked_by } = await relationship(mara, account)
      return followed_by || blocked_by || (await reads(status.id)).favourites_count === 1
    }
    await among.sends(ann, { type: 'Undo', object: act(1) })
    await among.sends(ann, act(1))
    expect(await is()).toBe(false)
    await among.sends(ann, act(2))
    expect(await is()).toBe(true)
    await among.sends(ann, { type: 'Undo', object: act(2) })
    expect(await is()).toBe(false)
  })
})

describe('without an end', () => {
  it('a thread is fetched so far and no further', async () => {
    const host = 'endless.example'
    const ann = among.stranger('endless', host)
    const start = among.servers.arrived.length
    among.servers.on(`GET ${ann.host}`, ({ path }, response) => {
      const number = Number(/\d+$/.exec(path)?.[0] ?? 0)
      const note = {
        id: `${ann.origin}/deep/${number}`,
        type: 'Note',
        attributedTo: ann.uri,
        to: [PUBLIC],
        content: String(number),
        inReplyTo: `${ann.origin}/deep/${number + 1}`,
      }
      response.writeHead(200, { 'Content-Type': 'application/activity+json' }).end(JSON.stringify(note))
    })
    const { status } = await mentioned(ann, { inReplyTo: `${ann.origin}/deep/1` })
    const { ancestors } = (await mara.get(`/api/v1/statuses/${status.id}/context`)).body
    expect(ancestors.length).toBe(20)
    expect(among.servers.arrived.length - start).toBeLessThan(50)
  })

  it('a circle of replies is passed once', async () => {
    const ann = among.stranger('circle')
    const [one, other] = [`${ann.origin}/circle/1`, `${ann.origin}/circle/2`]
    for (const [id, inReplyTo] of [
      [one, other],
      [other, one],
    ]) {
      among.servers.show(id!, { id, type: 'Note', attributedTo: ann.uri, to: [PUBLIC], content: 'round', inReplyTo })
    }
    const { status } = await mentioned(ann, { inReplyTo: one })
    const { ancestors } = (await mara.get(`/api/v1/statuses/${status.id}/context`)).body
    expect(ancestors.map(({ uri }: Json) => uri)).toEqual([other, one])
  })

  it('the replies to a thread are fetched so far and no further, and what other servers claim of them is asked of those', async () => {
    const ann = among.stranger('replies')
    const evil = among.stranger('evilreplies')
    let pages = 0
    const replies = `${ann.origin}/replies`
    const root = among.note(ann, { replies })
    const own = among.note(evil, { inReplyTo: root.id })
    const forged = { ...own, content: '<p>forged</p>' }
    const endless = () => Array.from({ length: 50 }, (_, index) => `${ann.origin}/missing/${pages}-${index}`)
    among.servers.on(`GET ${ann.host}`, ({ path }, response) => {
      const known = new Map<string, object>([ann.document, root].map((document: Json) => [new URL(document.id).pathname, document]))
      const pageOf = () => ({ type: 'CollectionPage', items: [forged, ...endless()], next: `${replies}?page=${++pages}` })
      const document = path.startsWith('/replies') ? pageOf() : known.get(path)
      response.writeHead(document ? 200 : 404, { 'Content-Type': 'application/activity+json' }).end(JSON.stringify(document ?? {}))
    })
    const [copy] = (await mara.get(`/api/v2/search?q=${encodeURIComponent(root.id)}&type=statuses&resolve=true`)).body.statuses
    const start = among.servers.arrived.length
    const read = async () => (await mara.get(`/api/v1/statuses/${copy.id}/context`)).body.descendants
    await read()
    await among.idle()
    expect((await read()).map(({ uri, content }: Json) => [uri, content])).toEqual([[own.id, '<p>hello</p>']])
    expect(pages).toBe(4)
    expect(among.servers.arrived.length - start).toBeLessThan(80)
  })

  it('replies below a reply that is known already are fetched too, after those that are not', async () => {
    const ann = among.stranger('known')
    const listing = (note: Json, items: readonly string[]) =>
      among.servers.show(note.id, { ...note, replies: { type: 'Collection', first: { type: 'CollectionPage', items } } })
    const root = among.note(ann)
    const known = among.note(ann, { inReplyTo: root.id, tag: [among.mention('mara')], cc: [among.actorOf('mara')] })
    await among.sends(ann, { type: 'Create', object: known })
    await among.idle()
    const below = among.note(ann, { inReplyTo: known.id })
    const beside = among.note(ann, { inReplyTo: root.id })
    listing(known, [below.id])
    listing(root, [known.id, beside.id])
    world.clock.advance(16 * 60_000)
    const [copy] = (await mara.get(`/api/v2/search?q=${encodeURIComponent(root.id)}&type=statuses&resolve=true`)).body.statuses
    const start = among.servers.arrived.length
    const read = async () => (await mara.get(`/api/v1/statuses/${copy.id}/context`)).body.descendants
    await read()
    await among.idle()
    expect((await read()).map(({ uri }: Json) => uri).sort()).toEqual([known.id, below.id, beside.id].sort())
    const asked = among.servers.arrived.slice(start).map(({ path }) => path)
    const placeOf = ({ id }: Json) => asked.indexOf(new URL(id).pathname)
    expect(placeOf(beside)).toBeLessThan(placeOf(known))
  })

  it('pinned statuses are read from one page, five at most', async () => {
    const ann = among.stranger('pinner')
    const featured = `${ann.uri}/collections/featured`
    among.servers.show(ann.uri, { ...ann.document, featured })
    const account = await found(mara, ann.uri)
    const items = Array.from({ length: 30 }, () => among.note(ann))
    among.servers.show(featured, { id: featured, type: 'OrderedCollection', orderedItems: items, next: featured })
    await among.sends(ann, { type: 'Add', object: items[0]!.id, target: featured })
    const pinned = (await mara.get(`/api/v1/accounts/${account.id}/statuses?pinned=true&limit=40`)).body
    expect(pinned.map(({ uri }: Json) => uri)).toEqual(items.slice(0, 5).map(({ id }) => id))
  })

  describe('featured tags of a person', () => {
    const collection = (id: string, names: readonly string[]) =>
      among.servers.show(id, { id, type: 'Collection', items: names.map((name) => ({ type: 'Hashtag', name, href: `${id}/${name}` })) })
    const tagsOf = async ({ id }: Json): Promise<string[]> =>
      (await mara.get(`/api/v1/accounts/${id}/featured_tags`)).body.map(({ name }: Json) => name)

    it('are read with the profile, ten at most, and again when one is added or the profile changes', async () => {
      const ann = among.stranger('featurer')
      const [featured, featuredTags] = [`${ann.uri}/collections/featured`, `${ann.uri}/collections/tags`]
      const document = { ...ann.document, featured, featuredTags }
      among.servers.show(ann.uri, document)
      collection(featuredTags, ['#Birds', '#tea', 'no tag at all', '#birds'])
      const account = await found(mara, ann.uri)
      await among.idle()
      expect(await tagsOf(account)).toEqual(['Birds', 'tea'])
      const [tag] = (await mara.get(`/api/v1/accounts/${account.id}/featured_tags`)).body
      expect(tag).toMatchObject({ statuses_count: 0, last_status_at: null, url: expect.stringContaining(`/@featurer@${ann.host}/`) })

      collection(featuredTags, ['#tea', ...Array.from({ length: 30 }, (_, index) => `#many${index}`)])
      await among.sends(ann, {
        type: 'Add',
        object: { type: 'Hashtag', name: '#many1', href: `${ann.origin}/tags/many1` },
        target: featured,
      })
      expect(await tagsOf(account)).toHaveLength(10)

      collection(featuredTags, ['#last'])
      await among.sends(ann, { type: 'Update', object: document })
      await world.advance(60_000)
      expect(await tagsOf(account)).toEqual(['last'])
      collection(featuredTags, [])
      await among.sends(ann, { type: 'Update', object: document })
      await world.advance(60_000)
      expect(await tagsOf(account)).toEqual([])
    })

    it('are not read on another server, and stay where they cannot be had', async () => {
      const [ben, other] = [among.stranger('elsewhere-tags'), among.stranger('other-tags')]
      const tags = `${ben.uri}/collections/tags`
      collection(tags, ['#kept'])
      collection(`${other.uri}/tags`, ['#theirs'])
      among.servers.show(ben.uri, { ...ben.document, featuredTags: tags })
      const account = await found(mara, ben.uri)
      await among.idle()
      among.servers.off(`GET ${ben.host}${new URL(tags).pathname}`)
      for (const featuredTags of [tags, `${other.uri}/tags`]) {
        await among.sends(ben, { type: 'Update', object: { ...ben.document, featuredTags } })
        await world.advance(60_000)
        expect(await tagsOf(account)).toEqual(['kept'])
      }
    })
  })

  it('a million recipients are refused', async () => {
    const ann = among.stranger('many')
    const to = Array.from({ length: 30_000 }, (_, index) => `https://x.example/${index}`)
    const status = await among.deliver(ann, {
      id: `${ann.origin}/many`,
      type: 'Create',
      actor: ann.uri,
      object: { ...among.note(ann), to },
    })
    expect(status).toBeGreaterThanOrEqual(400)
  })
})

describe('what others do here', () => {
  it('a reaction with an emoji is a favourite', async () => {
    const status = await mara.says('react to me')
    const ann = among.stranger('reacting')
    await among.sends(ann, { type: 'EmojiReact', object: status.uri, content: '🐦' })
    expect((await reads(status.id)).favourites_count).toBe(1)
  })

  it('a vote counts once, however often it comes', async () => {
    const status = await mara.says('tea?', { poll: { options: ['yes', 'no'], expires_in: 3600 } })
    const ann = among.stranger('voter')
    const vote = {
      id: `${ann.origin}/votes/1`,
      type: 'Note',
      attributedTo: ann.uri,
      to: [among.actorOf('mara')],
      inReplyTo: status.uri,
      name: 'yes',
    }
    for (const _ of [1, 2]) await among.sends(ann, { type: 'Create', object: vote })
    await among.sends(ann, { type: 'Create', object: { ...vote, id: `${ann.origin}/votes/2`, name: 'maybe' } })
    const { poll } = await reads(status.id)
    expect(poll.options.map(({ votes_count }: Json) => votes_count)).toEqual([1, 0])
    expect((await mara.get(`/api/v1/statuses/${status.id}/context`)).body.descendants).toEqual([])
  })

  it('a follow is taken back by its actor and object, under any id', async () => {
    const ann = among.stranger('follower')
    await among.sends(ann, { type: 'Follow', object: among.actorOf('mara') })
    const account = await found(mara, ann.uri)
    expect(await relationship(mara, account)).toMatchObject({ followed_by: true })
    const accept = among.sent('Accept', ({ object }) => object.actor === ann.uri)
    expect(accept).toMatchObject({ actor: among.actorOf('mara'), object: { type: 'Follow', object: among.actorOf('mara') } })
    await among.sends(ann, {
      type: 'Undo',
      object: { id: `${ann.origin}/x/Follow`, type: 'Follow', actor: ann.uri, object: among.actorOf('mara') },
    })
    expect(await relationship(mara, account)).toMatchObject({ followed_by: false })
  })

  it.each(['follow', 'block'] as const)('a %s stays when the end of an earlier one arrives late', async (kind) => {
    const ann = among.stranger(`late${kind}`)
    const account = await found(mara, ann.uri)
    const [type, flag] = kind === 'follow' ? ['Follow', 'followed_by'] : ['Block', 'blocked_by']
    const [earlier, later] = [1, 2].map((number) => ({
      id: `${ann.origin}/acts/${number}`,
      type,
      actor: ann.uri,
      object: among.actorOf('mara'),
    }))
    for (const act of [earlier!, later!]) await among.sends(ann, act)
    await among.sends(ann, { type: 'Undo', object: earlier })
    expect(await relationship(mara, account)).toMatchObject({ [flag!]: true })
    await among.sends(ann, { type: 'Undo', object: later })
    expect(await relationship(mara, account)).toMatchObject({ [flag!]: false })
  })

  it('a boost of a status of their own that is sent along shows it, though it cannot be fetched', async () => {
    const ann = among.stranger('selfboosting')
    const account = await found(mara, ann.uri)
    await mara.post(`/api/v1/accounts/${account.id}/follow`)
    await among.idle()
    const follow = among.sent('Follow', ({ object }) => object === ann.uri)
    await among.sends(ann, { type: 'Accept', object: follow })
    const to = [`${ann.uri}/followers`]
    const note = among.note(ann, { to, cc: [], content: '<p>among us</p>' })
    among.servers.off(`GET ${new URL(note.id).host}${new URL(note.id).pathname}`)
    await among.sends(ann, { type: 'Announce', to, object: note })
    const [boost] = await mara.home('?limit=1')
    expect(boost).toMatchObject({ visibility: 'private', reblog: { content: '<p>among us</p>', visibility: 'private' } })
  })

  it('a follow is taken back each time, though the server gives every Undo of it one id', async () => {
    const ann = among.stranger('refollower')
    const follow = { type: 'Follow', actor: ann.uri, object: among.actorOf('mara') }
    const undo = (published: string) => ({
      id: `${ann.origin}/follows/ann/mara/undo`,
      type: 'Undo',
      published,
      object: { ...follow, id: `${ann.origin}/follows/ann/mara` },
    })
    await among.sends(ann, follow)
    const account = await found(mara, ann.uri)
    await among.sends(ann, undo('2026-01-01T00:00:00Z'))
    expect(await relationship(mara, account)).toMatchObject({ followed_by: false })
    await among.sends(ann, follow)
    await among.sends(ann, undo('2026-01-01T00:00:00Z'))
    expect(await relationship(mara, account)).toMatchObject({ followed_by: true })
    await among.sends(ann, undo('2026-01-02T00:00:00Z'))
    expect(await relationship(mara, account)).toMatchObject({ followed_by: false })
  })

  it.each<[string, (follow: Json) => unknown]>([
    ['as it was sent', (follow) => follow],
    ['by its id', ({ id }) => id],
    ['by its id, with another address of them', ({ id, object, ...follow }) => ({ ...follow, id, object: `${object}/` })],
  ])('a follow of theirs ends when they take back that they accepted it, named %s', async (how, named) => {
    const ann = among.stranger(`accepter${how.length}`)
    const account = await found(mara, ann.uri)
    await mara.post(`/api/v1/accounts/${account.id}/follow`)
    await among.idle()
    const follow = among.sent('Follow', ({ object }) => object === ann.uri)
    const accept = { id: `${ann.origin}/accepts/1`, type: 'Accept', actor: ann.uri, object: named(follow) }
    await among.sends(ann, accept)
    expect(await relationship(mara, account)).toMatchObject({ following: true })
    await among.sends(ann, { type: 'Undo', object: accept })
    expect(await relationship(mara, account)).toMatchObject({ following: false, requested: false })
  })

  it('a follow that was taken back is taken again, though the server gives every one of it one id', async () => {
    const ann = among.stranger('comesback')
    const follow = { id: `${ann.origin}/follows/ann/mara`, type: 'Follow', actor: ann.uri, object: among.actorOf('mara') }
    await among.sends(ann, follow)
    const account = await found(mara, ann.uri)
    for (const round of [1, 2]) {
      await among.sends(ann, { id: `${follow.id}/undo`, type: 'Undo', published: `2026-01-0${round}T00:00:00Z`, object: follow })
      expect(await relationship(mara, account)).toMatchObject({ followed_by: false })
      await among.sends(ann, follow)
      expect(await relationship(mara, account)).toMatchObject({ followed_by: true })
    }
  })

  it('a group boosts what a member wrote, and passes on edits and deletions, fetched from where it is', async () => {
    const group = among.stranger('birders')
    among.servers.show(group.uri, { ...group.document, type: 'Group' })
    const ida = among.stranger('ida')
    const account = await found(mara, group.uri)
    expect(account.group).toBe(true)
    await mara.post(`/api/v1/accounts/${account.id}/follow`)
    await among.idle()
    await among.sends(group, { type: 'Accept', object: { type: 'Follow', actor: among.actorOf('mara'), object: group.uri } })
    const page = among.note(ida, { type: 'Page', name: 'What bird is this?', content: '<p>seen today</p>' })
    const create = { id: `${ida.origin}/create/1`, type: 'Create', actor: ida.uri, object: page }
    await among.sends(group, { type: 'Announce', to: [PUBLIC], object: create })
    const boost = (await mara.home()).find(({ reblog }) => reblog?.uri === page.id)
    expect(boost.reblog.content).toContain('What bird is this?')

    const edited = { ...page, name: 'A robin', updated: new Date(Date.parse(String(page.published)) + 1000).toISOString() }
    const passesOn = (type: string, object: unknown) =>
      among.sends(group, {
        type: 'Announce',
        to: [PUBLIC],
        object: { id: `${ida.origin}/${type}/1`, type, actor: ida.uri, object },
      })
    await passesOn('Update', edited)
    expect((await reads(boost.reblog.id)).content).toContain('What bird is this?')
    among.servers.show(page.id, edited)
    await passesOn('Update', edited)
    expect((await reads(boost.reblog.id)).content).toContain('A robin')
    await passesOn('Delete', page.id)
    expect((await reads(boost.reblog.id)).content).toContain('A robin')
    among.servers.show(page.id, { id: page.id, type: 'Tombstone' })
    await passesOn('Delete', page.id)
    expect((await mara.get(`/api/v1/statuses/${boost.reblog.id}`)).status).toBe(404)
  })

  // As Lemmy sends votes: to the community alone, which passes them on.
  it('a group passes on favourites of what is said here, and what takes them back, each as its own server has it', async () => {
    const group = among.stranger('voters')
    among.servers.show(group.uri, { ...group.document, type: 'Group' })
    const lea = among.stranger('lea')
    const status = await mara.says('A new thread')
    const counted = async () => (await reads(status.id)).favourites_count
    const like = {
      id: `${lea.origin}/activities/like/14439120`,
      actor: lea.uri,
      object: status.uri,
      type: 'Like',
      audience: group.uri,
    }
    const undo = { id: `${lea.origin}/activities/undo/1`, actor: lea.uri, object: like, type: 'Undo', audience: group.uri }
    const passesOn = (object: object) => among.sends(group, { type: 'Announce', to: [PUBLIC], cc: [`${group.uri}/followers`], object })

    await passesOn(like)
    expect(await counted()).toBe(0)
    among.servers.show(like.id, { ...like, actor: among.stranger('other').uri })
    await passesOn(like)
    expect(await counted()).toBe(0)
    among.servers.show(like.id, like)
    await passesOn(like)
    expect(await counted()).toBe(1)
    expect((await mara.notifications('?types[]=favourite'))[0].account.username).toBe('lea')

    await passesOn(undo)
    expect(await counted()).toBe(1)
    among.servers.show(undo.id, undo)
    await passesOn(undo)
    expect(await counted()).toBe(0)
  })

  // As Lemmy sends bans: by the moderator, from the community that is the target.
  it('a block keeps what is posted from who is blocked, also in the outbox', async () => {
    const [ann, ben] = [among.stranger('keptout'), among.stranger('letin')]
    const author = await world.person('outgoing')
    await author.says('for all but one')
    const account = await found(author, ann.uri)
    await author.post(`/api/v1/accounts/${account.id}/block`)
    await among.idle()
    const outboxFor = (reader: typeof ann) => among.fetches(`/users/${author.username}/outbox?page=true`, reader)
    expect((await outboxFor(ben)).orderedItems).toHaveLength(1)
    expect((await outboxFor(ann)).orderedItems).toEqual([])
  })

  it.each<[string, (quoter: ReturnType<typeof among.stranger>, uri: string) => unknown]>([
    ['cannot be fetched', ({ origin }) => `${origin}/missing`],
    ['quotes something else', (quoter) => among.note(quoter, { quote: `${quoter.origin}/another` })],
    ['is of someone else', (quoter, uri) => among.note(quoter, { attributedTo: `${quoter.origin}/users/another`, quote: uri })],
  ])('a request to quote with a status that %s is rejected', async (what, instrument) => {
    const quoter = among.stranger(`quoter${what.length}`)
    const status = await mara.says(`quote me, though yours ${what}`)
    const request = { type: 'QuoteRequest', object: status.uri, instrument: instrument(quoter, status.uri) }
    await among.sends(quoter, request)
    const answers = among.servers
      .posted()
      .map(({ body }) => JSON.parse(String(body)))
      .filter(({ object }) => object?.type === 'QuoteRequest' && object.actor === quoter.uri)
    expect(answers.map(({ type, object }) => [type, object.object])).toEqual([['Reject', status.uri]])
  })

  it('a follow of the actor of the server is rejected', async () => {
    const ann = among.stranger('serverfan')
    await among.sends(ann, { type: 'Follow', object: `${world.address}/actor` })
    const answer = among.servers
      .posted()
      .map(({ body }) => JSON.parse(String(body)))
      .find(({ object }) => object?.type === 'Follow' && object.actor === ann.uri)
    expect(answer).toMatchObject({ type: 'Reject', actor: `${world.address}/actor`, to: [ann.uri] })
  })

  it('each address in an actor, and in the actor of the server, answers with a document of that id', async () => {
    const reader = among.stranger('addressreader')
    for (const path of ['/users/mara', '/actor']) {
      const { inbox: _, url: __, ...actor } = await among.fetches(path, reader)
      const addresses = Object.values(actor).filter((value) => typeof value === 'string' && value.startsWith(world.address))
      const documents = await Promise.all(addresses.map((address) => among.fetches(new URL(String(address)).pathname, reader)))
      expect(documents.map(({ id }) => id)).toEqual(addresses)
      expect(addresses).toContain(`${world.address}${path}/outbox`)
    }
  })

  it('a ban from a group is no block by who decided it', async () => {
    const lea = among.stranger('moderator')
    const { account } = (await mentioned(lea)).status
    const isBlocked = async () => (await relationship(mara, account)).blocked_by
    const ban = {
      actor: lea.uri,
      to: [PUBLIC],
      object: among.actorOf('mara'),
      cc: [`${lea.origin}/c/birds`],
      target: `${lea.origin}/c/birds`,
      type: 'Block',
      id: `${lea.origin}/activities/block/1021e270`,
      audience: `${lea.origin}/c/birds`,
      removeData: false,
      summary: 'rude',
    }
    await among.sends(lea, ban)
    expect(await isBlocked()).toBe(false)
    await among.sends(lea, { type: 'Block', object: among.actorOf('mara') })
    expect(await isBlocked()).toBe(true)
    await among.sends(lea, { type: 'Undo', object: ban })
    expect(await isBlocked()).toBe(true)
  })

  it.each<[string, string[] | undefined, string[]]>([
    ['goes to their server by default', undefined, ['offender']],
    ['goes to the server of whom the posts answer as well where its author wants that', ['offender', 'Offended'], ['offended', 'offender']],
    ['goes only there where its author wants that', ['offended'], ['offended']],
    ['goes to no server that has nothing to do with it', ['bystander', 'no domain'], []],
  ])('a report about a person of another server %s', async (what, domains, told) => {
    const at = `-${domains?.length ?? 0}${told.length}.example`
    const [offender, offended, bystander] = ['offender', 'offended', 'bystander'].map((name) => among.stranger(name, name + at))
    const { note, status: answered } = await mentioned(offended!)
    await mentioned(bystander!)
    const { note: offence, status } = await mentioned(offender!, { inReplyTo: note.id })
    expect(status.in_reply_to_id).toBe(answered.id)
    const forward_to_domains = domains?.map((name) => `${name}${at}:${among.servers.port}`)
    const report = { account_id: status.account.id, status_ids: [status.id], comment: what, forward: true, forward_to_domains }
    expect((await mara.post('/api/v1/reports', report)).body).toMatchObject({ comment: what, forwarded: told.includes('offender') })
    await among.idle()
    const posted = among.servers.posted().map(({ host, body }) => ({ host, ...JSON.parse(String(body)) }))
    const flags = posted.filter(({ type, content }) => type === 'Flag' && content === what)
    expect(flags.map(({ host }) => host.split('-')[0]).toSorted()).toEqual(told)
    for (const { actor, object } of flags) expect([actor, object]).toEqual([`${world.address}/actor`, [offender!.uri, offence.id]])
  })

  it('a report of another server is for staff', async () => {
    const status = await mara.says('offending')
    const there = among.stranger('reporter')
    await among.sends(there, { type: 'Flag', content: 'spam', object: [among.actorOf('mara'), status.uri] })
    const [report] = (await owner.get('/api/v1/admin/reports')).body
    expect(report).toMatchObject({ comment: 'spam', target_account: { username: 'mara' }, account: { username: 'reporter' } })
    expect(report.statuses.map(({ id }: Json) => id)).toEqual([status.id])
  })

  it.each<[string, { visibility: string }, boolean]>([
    ['for followers', { visibility: 'private' }, false],
    ['for followers, one of whom is there', { visibility: 'private' }, true],
    ['for people it mentions', { visibility: 'direct' }, false],
    ['for people it mentions, one of whom is there', { visibility: 'direct' }, true],
  ])('a report of another server about a status %s is filed, with it where that server has it', async (what, more, isThere) => {
    const offender = await world.person(`offender_${what.length}`)
    const name = `victims${what.length}.example`
    const [victim, server] = [among.stranger('victim', name), among.stranger('instance', name)]
    await among.sends(victim, { type: 'Create', object: among.note(victim, { tag: [among.mention('mara')], cc: [among.actorOf('mara')] }) })
    if (isThere && more.visibility === 'private') await among.sends(victim, { type: 'Follow', object: among.actorOf(offender.username) })
    const said = await offender.says(isThere && more.visibility === 'direct' ? `you @victim@${new URL(victim.origin).host}` : 'you', more)
    const open = await offender.says('seen by all')
    await world.idle()
    await among.sends(server, {
      type: 'Flag',
      content: what,
      object: [among.actorOf(offender.username), said.uri, open.uri, `${said.uri}9`],
    })
    const report = (await owner.get('/api/v1/admin/reports')).body.find(({ comment }: Json) => comment === what)
    expect(report.statuses.map(({ id }: Json) => id).toSorted()).toEqual(isThere ? [said.id, open.id] : [open.id])
  })

  it.each([
    ['of a server whose reports staff refuse', { reject_reports: true }, 0],
    ['of a server that staff silence', { severity: 'silence' }, 1],
  ])('a report %s is filed so often', async (what, block, count) => {
    const there = among.stranger('refused', `${what.replaceAll(' ', '')}.example`)
    const domain = new URL(there.origin).hostname
    expect((await owner.post('/api/v1/admin/domain_blocks', { domain, severity: 'noop', ...block })).status).toBe(200)
    await among.sends(there, { type: 'Flag', content: what, object: [among.actorOf('mara')] })
    const reports = (await owner.get('/api/v1/admin/reports')).body
    expect(reports.filter(({ comment }: Json) => comment === what)).toHaveLength(count)
  })

  it('counts as staff limited its server by a list, before any account of it was known', async () => {
    const imports = innerClient(world, DomainImportsDefinition)
    const [loud, quiet] = [among.stranger('early', 'listed.example'), among.stranger('later', 'sub.listed.example')]
    const { id } = await imports.create(innerCall(), { staffId: owner.id })
    const line = {
      domain: 'listed.example',
      severity: 'silence',
      rejectMedia: true,
      rejectReports: false,
      publicComment: '',
      obfuscate: false,
    }
    await imports.append(innerCall(), { id, first: 0, lines: [line] })
    await imports.start(innerCall(), { id, staffId: owner.id })
    await world.advance(0)
    for (const stranger of [loud, quiet]) await mentioned(stranger)
    const known: Json[] = (await owner.get('/api/v2/admin/accounts?origin=remote&status=silenced&limit=200')).body
    expect(known.map(({ username }) => username).filter((name) => ['early', 'later'].includes(name))).toEqual(['later', 'early'])
    await among.idle()
    expect(await query(world, "select domain, is_rejected from media.remote_domain where domain = 'listed.example'")).toEqual([
      { domain: 'listed.example', is_rejected: true },
    ])
  })

  it('an account that is deleted there is gone here', async () => {
    const ann = among.stranger('leaving')
    const { status } = await mentioned(ann)
    await among.sends(ann, { type: 'Delete', object: ann.uri })
    expect((await mara.get(`/api/v1/statuses/${status.id}`)).status).toBe(404)
  })
})

describe('what concerns no one elsewhere', () => {
  const sending = async (): Promise<number> => {
    await world.idle()
    const [{ count }] = await query(
      world,
      `select count(*)::int from federation_jobs._private_jobs job join federation_jobs._private_tasks task on task.id = job.task_id
       where task.identifier = 'send-activities'`,
    )
    return count
  }

  it('makes no job of its own, though people elsewhere are known and follow others', async () => {
    await among.sends(among.stranger('known8'), { type: 'Follow', object: among.actorOf('mara') })
    const quiet = await world.person('quiet')
    const other = await world.person('other8')
    await among.idle()
    const status = await quiet.says('for no one elsewhere @other8')
    await other.follows(quiet)
    await other.reacts('favourite', status)
    await other.reacts('reblog', status)
    await other.says('@quiet hello', { in_reply_to_id: status.id })
    await quiet.reacts('pin', status)
    await quiet.asks('DELETE', `/api/v1/statuses/${status.id}`)
    expect(await sending()).toBe(0)
  })

  it.each([
    ['a mention of someone elsewhere', { visibility: 'direct' }, true],
    ['a status for followers, of whom one is elsewhere', { visibility: 'private' }, false],
  ])('is not %s', async (_case, more, isMention) => {
    const person = await world.person(isMention ? 'mentioning' : 'followed8')
    const stranger = among.stranger(isMention ? 'mentioned8' : 'follower8')
    const account = await found(person, stranger.uri)
    if (!isMention) await among.sends(stranger, { type: 'Follow', object: among.actorOf(person.username) })
    await among.idle()
    await person.says(isMention ? `@${account.acct} hello` : 'hello', more)
    expect(await sending()).toBe(1)
    await among.idle()
    expect(among.servers.posted().some(({ host, body }) => host === stranger.host && body.includes('hello'))).toBe(true)
  })
})
