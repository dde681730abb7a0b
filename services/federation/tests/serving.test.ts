import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, type WireHarness } from './wire-harness.ts'

let harness: WireHarness
let closed: WireHarness
beforeAll(async () => {
  harness = await openWire()
  closed = await openWire({ AUTHORIZED_FETCH: 'on' })
  for (const { vocabulary } of [harness, closed]) {
    vocabulary.renderActor = async (username) => (username === 'mara' ? { id: 'mara' } : undefined)
    vocabulary.renderCollection = async (request) => (request.username === 'mara' ? { ...request } : undefined)
    // A status for followers: only ann's account may see it.
    vocabulary.renderStatus = async ({ askerId, id }) => (id === '1' || (id === '2' && askerId) ? { id, askerId } : undefined)
    vocabulary.renderActivity = vocabulary.renderStatus
    vocabulary.renderReplies = vocabulary.renderStatus
  }
})
afterAll(async () => {
  await harness.close()
  await closed.close()
})

const AS_ACTIVITY = { Accept: 'application/activity+json' }
const PATHS = ['/users/mara', '/users/mara/outbox', '/users/mara/followers', '/users/mara/following', '/users/mara/collections/featured']

describe('documents', () => {
  it.each([...PATHS, '/users/mara/statuses/1', '/users/mara/statuses/1/activity', '/users/mara/statuses/1/replies'])(
    '%s is activity JSON to be kept for a while',
    async (path) => {
      const { status, headers } = await harness.ask('GET', path, AS_ACTIVITY)
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'content-type': 'application/activity+json; charset=utf-8',
        'cache-control': 'public, max-age=180',
        vary: 'Accept, Signature',
      })
    },
  )

  it('of what is not there are missing, whatever that is', async () => {
    for (const path of [
      '/users/nobody',
      '/users/nobody/outbox',
      '/users/mara/statuses/9',
      '/users/mara/statuses/x',
      '/users/mara/likes',
      '/inbox',
    ])
      expect([path, (await harness.ask('GET', path, AS_ACTIVITY)).status]).toEqual([path, 404])
  })

  it('lead browsers to pages', async () => {
    const asked = async (path: string) => (await harness.ask('GET', path, { Accept: 'text/html' })).headers['location']
    expect(await asked('/users/mara')).toBe('http://here.example/@mara')
    expect(await asked('/users/mara/statuses/1')).toBe('http://here.example/@mara/1')
    for (const wrong of ['mara%2f..%2f', '%00', '%', 'a'.repeat(200)])
      expect((await harness.ask('GET', `/users/${wrong}`, { Accept: 'text/html' })).status).toBe(404)
  })

  it('hand over a part of a collection', async () => {
    const { text } = await harness.ask('GET', '/users/mara/outbox?page=true&max_id=77', AS_ACTIVITY)
    expect(JSON.parse(text)).toEqual({ username: 'mara', kind: 'outbox', isPage: true, maxId: '77', askerId: '' })
    expect((await harness.ask('GET', '/users/mara/outbox?page=true&max_id=x', AS_ACTIVITY)).status).toBe(404)
  })

  it('of what is not for everyone are for who may see them and signs', async () => {
    const ann = harness.stranger('reader.example', 'ann')
    const { accountId } = (await harness.wire().actors.byUri(ann.uri))!
    const url = 'http://here.example/users/mara/statuses/2'
    const signed = { ...AS_ACTIVITY, ...ann.signed(url, undefined, { now: harness.clock.time }) }
    const { status, headers, text } = await harness.ask('GET', '/users/mara/statuses/2', signed)
    expect([status, JSON.parse(text).askerId, headers['cache-control']]).toEqual([200, accountId, 'private, no-store'])
    expect((await harness.ask('GET', '/users/mara/statuses/2', AS_ACTIVITY)).status).toBe(404)
    const forged = { ...signed, Date: new Date(harness.clock.time + 60_000).toUTCString() }
    expect((await harness.ask('GET', '/users/mara/statuses/2', forged)).status).toBe(404)
    expect((await harness.ask('GET', '/users/mara/statuses/1', forged)).status).toBe(200)
  })
})

describe('where fetches must be authorised', () => {
  it('nothing but the actor of the server and its outbox is shown to who does not sign', async () => {
    for (const path of [...PATHS, '/users/mara/statuses/1']) expect((await closed.ask('GET', path, AS_ACTIVITY)).status).toBe(401)
    const { status, text } = await closed.ask('GET', '/actor', AS_ACTIVITY)
    expect([status, JSON.parse(text).publicKey.id]).toEqual([200, 'http://here.example/actor#main-key'])
    expect((await closed.ask('GET', '/actor/outbox', AS_ACTIVITY)).status).toBe(200)
  })

  it('those who sign are shown it, and suspended domains are not', async () => {
    const ann = closed.stranger('reader.example', 'ann')
    const signed = ann.signed('http://here.example/users/mara', undefined, { now: closed.clock.time })
    const { status, headers } = await closed.ask('GET', '/users/mara', { ...AS_ACTIVITY, ...signed })
    expect([status, headers['cache-control']]).toEqual([200, 'private, no-store'])
    await closed.database.pool.query("insert into domain_block (domain, severity) values ('reader.example', 'suspend')")
    expect((await closed.ask('GET', '/users/mara', { ...AS_ACTIVITY, ...signed })).status).toBe(403)
  })
})

describe('fetching', () => {
  const fetches = (url: string) => harness.wire().fetchDocument(url)
  const at = (host: string, path = '/note') => `http://${harness.servers.host(host)}${path}`

  it('gives the document and where it came from in the end, each redirect signed anew', async () => {
    const [from, to] = [at('from.example'), at('to.example')]
    harness.servers.on(`GET ${new URL(from).host}`, (_request, response) => response.writeHead(302, { Location: to }).end())
    harness.servers.show(to, { id: to })
    expect(await fetches(from)).toEqual({ url: to, document: { id: to } })
    const signatures = harness.servers.arrived.slice(-2).map(({ headers }) => headers['signature'])
    expect(new Set(signatures).size).toBe(2)
  })

  it('asks once for what is asked for twice at once', async () => {
    const url = at('joined.example')
    harness.servers.show(url, { id: url })
    await Promise.all([fetches(url), fetches(url), fetches(url)])
    expect(harness.servers.arrived.filter(({ host }) => host === harness.servers.host('joined.example'))).toHaveLength(1)
  })

  it('signs by RFC 9421 where a host refuses the older signatures, from then on', async () => {
    const host = harness.servers.host('newest.example')
    harness.servers.on(`GET ${host}`, ({ headers }, response) =>
      headers['signature-input']
        ? response.writeHead(200, { 'Content-Type': 'application/activity+json' }).end('{}')
        : response.writeHead(401, { 'Content-Type': 'application/json' }).end('{}'),
    )
    expect((await fetches(at('newest.example', '/1'))).document).toEqual({})
    expect((await fetches(at('newest.example', '/2'))).document).toEqual({})
    const asked = harness.servers.arrived.filter((each) => each.host === host)
    expect(asked.map(({ headers }) => 'signature-input' in headers)).toEqual([false, true, true])
  })

  it('asks a host for a few things at once, and refuses what would wait too long', async () => {
    const host = harness.servers.host('busy.example')
    let [running, most] = [0, 0]
    harness.servers.on(`GET ${host}`, async (_request, response) => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      response.writeHead(200, { 'Content-Type': 'application/activity+json' }).end('{}')
    })
    const all = await Promise.allSettled(Array.from({ length: 100 }, (_, index) => fetches(at('busy.example', `/${index}`))))
    expect(most).toBeLessThanOrEqual(4)
    const refused = all.filter((each) => each.status === 'rejected').map(({ reason }) => reason.fault)
    expect(refused).toEqual(Array.from({ length: 32 }, () => 'busy'))
  })

  it.each<[number, string]>([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'missing'],
    [410, 'gone'],
    [418, 'invalid'],
    [500, 'unreachable'],
  ])('a status %d is %s', async (status, fault) => {
    const host = harness.servers.host(`s${status}.example`)
    harness.servers.on(`GET ${host}`, (_request, response) => response.writeHead(status, { 'Content-Type': 'text/html' }).end())
    await expect(fetches(at(`s${status}.example`))).rejects.toMatchObject({ name: 'DocumentError', fault })
  })

  it.each<[string, string, string]>([
    ['a page', 'text/html', '{}'],
    ['plain JSON', 'application/json', '{}'],
    ['JSON-LD of another profile', 'application/ld+json; profile="https://tea.example"', '{}'],
    ['no JSON', 'application/activity+json', 'tea'],
    ['a list', 'application/activity+json', '[]'],
    ['more than a megabyte', 'application/activity+json', JSON.stringify({ a: 'a'.repeat(1024 * 1024) })],
  ])('%s is invalid', async (_, type, text) => {
    harness.servers.on(`GET ${harness.servers.host('wrong.example')}`, (_request, response) =>
      response.writeHead(200, { 'Content-Type': type }).end(text),
    )
    await expect(fetches(at('wrong.example'))).rejects.toMatchObject({ fault: 'invalid', mayPass: false })
  })

  it('of a suspended domain is refused before anything is asked, behind a redirect too', async () => {
    await harness.database.pool.query("insert into domain_block (domain, severity) values ('bad.example', 'suspend')")
    const host = harness.servers.host('leads-away.example')
    harness.servers.on(`GET ${host}`, (_request, response) => response.writeHead(302, { Location: at('bad.example') }).end())
    for (const url of [at('bad.example'), at('sub.bad.example'), at('leads-away.example')])
      await expect(fetches(url)).rejects.toMatchObject({ fault: 'refused' })
    expect(harness.servers.arrived.filter((each) => each.host.includes('bad.example'))).toEqual([])
  })

  it('of private addresses, over http, from our own host or of no web address is refused', async () => {
    const wire = harness.build({ FEDERATION_ALLOW_PRIVATE: 'false' })
    for (const url of [
      'http://there.example/',
      'https://here.example/',
      'https://there.example/',
      'https://10.0.0.1/',
      'file:///etc/passwd',
      'tea',
    ])
      await expect(wire.fetchDocument(url)).rejects.toMatchObject({ fault: 'refused' })
    harness.build()
  })
})

describe('handles', () => {
  const resolves = (handle: string, askerId = '7') => harness.resolver().resolveHandle(harness.call(), { handle, askerId })
  const finger = (host: string, name: string, subject: string, href: string) =>
    harness.servers.show(
      `http://${harness.servers.host(host)}/.well-known/webfinger?resource=${encodeURIComponent(`acct:${name}@${harness.servers.host(host)}`)}`,
      { subject, links: [{ rel: 'self', type: 'application/activity+json', href }] },
      'application/jrd+json',
    )

  it('lead to the account of a person elsewhere', async () => {
    const ann = harness.stranger('people.example', 'ann')
    finger('people.example', 'ann', `acct:ann@${ann.host}`, ann.uri)
    const { accountId } = await resolves(`@ann@${ann.host}`)
    expect((await harness.wire().actors.byAccountIds([accountId]))[0]?.uri).toBe(ann.uri)
    expect(harness.profiles.find(({ uri }) => uri === ann.uri)).toMatchObject({ domain: ann.host, replacesHandle: true })
  })

  it('may be of another domain than the actor, where both say so', async () => {
    const joe = harness.stranger('social.split.example', 'joe')
    const split = harness.servers.host('split.example')
    finger('split.example', 'joe', `acct:joe@${split}`, joe.uri)
    finger('social.split.example', 'joe', `acct:joe@${split}`, joe.uri)
    await resolves(`joe@${split}`)
    expect(harness.profiles.find(({ uri }) => uri === joe.uri)).toMatchObject({ domain: split, replacesHandle: true })
  })

  it('that a host claims of another one are not believed', async () => {
    const eve = harness.stranger('eve.example', 'eve')
    const victim = harness.servers.host('famous.example')
    finger('eve.example', 'eve', `acct:eve@${victim}`, eve.uri)
    await expect(resolves(`eve@${eve.host}`)).rejects.toMatchObject({ kind: 'not_found' })
    await harness.wire().actors.byUri(eve.uri)
    expect(harness.profiles.find(({ uri }) => uri === eve.uri)).toMatchObject({ domain: eve.host, replacesHandle: false })
  })

  it('of another name on another domain are not those of an actor, though that domain agrees', async () => {
    const mallory = harness.stranger('alias.example', 'ann')
    const victim = harness.servers.host('aliases.example')
    finger('alias.example', 'ann', `acct:mallory@${victim}`, mallory.uri)
    finger('aliases.example', 'mallory', `acct:mallory@${victim}`, mallory.uri)
    await harness.wire().actors.byUri(mallory.uri)
    expect(harness.profiles.find(({ uri }) => uri === mallory.uri)).toMatchObject({ domain: mallory.host, replacesHandle: false })
  })

  it('are asked where the domain says, when it answers for none itself (Pleroma and Akkoma on a domain of their own)', async () => {
    const kim = harness.stranger('pleroma.apart.example', 'kim')
    const apart = harness.servers.host('apart.example')
    const web = `http://${harness.servers.host('pleroma.apart.example')}`
    const resource = encodeURIComponent(`acct:kim@${apart}`)
    const links = [{ rel: 'self', type: 'application/activity+json', href: kim.uri }]
    finger('pleroma.apart.example', 'kim', `acct:kim@${apart}`, kim.uri)
    harness.servers.show(
      `${web}/.well-known/webfinger?resource=${resource}`,
      { subject: `acct:kim@${apart}`, links },
      'application/jrd+json',
    )
    const template = `${web}/.well-known/webfinger?resource={uri}`
    harness.servers.on(`GET ${apart}/.well-known/host-meta`, (_request, response) =>
      response
        .writeHead(200, { 'Content-Type': 'application/xrd+xml; charset=utf-8' })
        .end(`<?xml version="1.0"?><XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0"><Link rel="lrdd" template="${template}"/></XRD>`),
    )
    await resolves(`kim@${apart}`)
    expect(harness.profiles.find(({ uri }) => uri === kim.uri)).toMatchObject({ domain: apart, replacesHandle: true })
    await expect(resolves(`none@${apart}`)).rejects.toMatchObject({ kind: 'not_found' })
  })

  it('may be answered for by another server, to which a redirect leads, unless it is suspended', async () => {
    const moved = harness.servers.host('moved.example')
    const [una, host] = [harness.stranger('answers.example', 'una'), harness.servers.host('answers.example')]
    const path = `/.well-known/webfinger?resource=${encodeURIComponent(`acct:una@${moved}`)}`
    const links = [{ rel: 'self', type: 'application/activity+json', href: una.uri }]
    harness.servers.show(`http://${host}${path}`, { subject: `acct:una@${host}`, links }, 'application/jrd+json')
    finger('answers.example', 'una', `acct:una@${host}`, una.uri)
    harness.servers.on(`GET ${moved}${path}`, (_request, response) => response.writeHead(301, { Location: `http://${host}${path}` }).end())
    expect((await resolves(`una@${moved}`)).accountId).toMatch(/^\d+$/)
    const asked = () => harness.servers.arrived.filter((each) => each.host === host).length
    const before = asked()
    await harness.database.pool.query("insert into domain_block (domain, severity) values ('answers.example', 'suspend')")
    await expect(resolves(`una@${moved}`)).rejects.toMatchObject({ kind: 'not_found' })
    expect(asked()).toBe(before)
    await harness.database.pool.query("delete from domain_block where domain = 'answers.example'")
  })

  it('are asked for people of this server only, and so often', async () => {
    await expect(resolves('ann@people.example', '')).rejects.toMatchObject({ kind: 'not_found' })
    for (let count = 0; count < 60; count++) await resolves('nobody@none.example', '99').catch(() => {})
    await expect(resolves('nobody@none.example', '99')).rejects.toMatchObject({ kind: 'exhausted' })
  })

  it.each(['here.example', 'ann', 'ann@here.example', ''])('that lead nowhere are missing: %s', async (handle) => {
    await expect(resolves(handle)).rejects.toMatchObject({ kind: 'not_found' })
  })

  it('addresses lead to people and to statuses', async () => {
    const kim = harness.stranger('urls.example', 'kim')
    const resolveUrl = (url: string) => harness.resolver().resolveUrl(harness.call(), { url, askerId: '7' })
    const { accountId } = await resolveUrl(kim.uri)
    expect((await harness.wire().actors.byAccountIds([accountId]))[0]?.uri).toBe(kim.uri)
    harness.servers.show(`${kim.origin}/notes/1`, { id: `${kim.origin}/notes/1`, type: 'Note' })
    harness.vocabulary.resolveStatus = async ({ type }) => (type === 'Note' ? '55' : '')
    expect(await resolveUrl(`${kim.origin}/notes/1`)).toEqual({ accountId: '', statusId: '55' })
    await expect(resolveUrl(`${kim.origin}/notes/2`)).rejects.toMatchObject({ kind: 'not_found' })
  })
})

describe('actors', () => {
  it('are read again after a day, and kept where they cannot be read', async () => {
    const ann = harness.stranger('old.example', 'ann')
    await harness.wire().actors.byUri(ann.uri)
    const fetched = () => harness.servers.arrived.filter(({ host, path }) => host === ann.host && path === '/users/ann').length
    await harness.wire().actors.byUri(ann.uri)
    expect(fetched()).toBe(1)
    harness.clock.time += 25 * 3_600_000
    harness.servers.show(ann.uri, { ...ann.document, inbox: `${ann.uri}/new-inbox` })
    expect((await harness.wire().actors.byUri(ann.uri))?.inbox).toBe(`${ann.uri}/new-inbox`)
    harness.clock.time += 25 * 3_600_000
    harness.servers.on(`GET ${ann.host}/users/ann`, (_request, response) => response.writeHead(500).end())
    expect((await harness.wire().actors.byUri(ann.uri))?.inbox).toBe(`${ann.uri}/new-inbox`)
    harness.servers.on(`GET ${ann.host}/users/ann`, (_request, response) => response.writeHead(410).end())
    expect((await harness.wire().actors.byUri(ann.uri, { isFresh: true }))?.goneAt).not.toBeNull()
  })

  it('with keys that are too small sign nothing', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const pair = { privateKey, publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString() }
    const ann = harness.stranger('small.example', 'ann', { pair })
    expect((await harness.sends(ann, ann.like(1))).status).toBe(401)
  })
})
