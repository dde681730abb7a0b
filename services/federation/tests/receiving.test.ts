import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { RATE_LIMITS } from '@rookery/http/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPair } from './other-server.ts'
import { openWire, type WireHarness } from './wire-harness.ts'

const HOUR = 3_600_000

let harness: WireHarness
beforeAll(async () => {
  harness = await openWire()
})
afterAll(() => harness.close())

/** An Ed25519 public key as a Multikey: base58btc of its multicodec prefix and its bytes. */
const multibaseOf = (key: Buffer): string => {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  let number = BigInt(`0xed01${key.toString('hex')}`)
  let text = ''
  for (; number > 0n; number /= 58n) text = `${alphabet[Number(number % 58n)]}${text}`
  return `z${text}`
}

const worksOf = (uri: string) => harness.worked.filter(({ actor }) => actor.uri === uri).map(({ activity }) => activity['id'])

/** The documents that were fetched from a host, by path; without deliveries and WebFinger. */
const fetchedFrom = (host: string) =>
  harness.servers.arrived.filter((each) => each.host === host && each.method === 'GET').map(({ path }) => path)

describe('an inbox', () => {
  it.each(['cavage', 'rfc9421'] as const)('takes what is signed by %s, and works it once though it comes twice', async (kind) => {
    const ben = harness.stranger(`${kind}.example`, 'ben')
    const like = ben.like(1)
    for (const path of ['/inbox', '/users/mara/inbox']) expect((await harness.sends(ben, like, { kind, path })).status).toBe(202)
    expect(worksOf(ben.uri)).toEqual([])
    await harness.due()
    expect(worksOf(ben.uri)).toEqual([like.id])
    const [first] = harness.worked.filter(({ actor }) => actor.uri === ben.uri)
    expect(first).toMatchObject({ activity: like, context: { inboxOf: '', attempt: 0, isForwarded: false } })
    expect(first?.actor).toMatchObject({ uri: ben.uri, inbox: `${ben.uri}/inbox`, sharedInbox: `${ben.origin}/inbox` })
    expect(harness.profiles.find(({ uri }) => uri === ben.uri)).toBeUndefined()
    const { rows } = await harness.database.pool.query('select signs from host where domain = $1', [ben.host])
    expect(rows).toEqual(kind === 'rfc9421' ? [{ signs: 'rfc9421' }] : [])
    const peers = await harness.database.pool.query('select 1 from peer where domain = $1', [`${kind}.example`])
    expect(peers.rows).toHaveLength(1)
  })

  it('fetches the key of someone once, signed by the server itself', async () => {
    const ann = harness.stranger('once.example', 'ann')
    for (const number of [1, 2, 3]) expect((await harness.sends(ann, ann.like(number))).status).toBe(202)
    const fetched = harness.servers.arrived.filter(({ host, method }) => host === ann.host && method === 'GET')
    expect(fetched.map(({ path }) => path)).toEqual(['/users/ann'])
    expect(fetched[0]?.headers['signature']).toContain('keyId="http://here.example/actor#main-key"')
    expect(fetched[0]?.headers).toMatchObject({ host: ann.host, accept: 'application/activity+json, application/ld+json' })
  })

  it.each([
    ['who has no other', false],
    ['who has an RSA key besides', true],
  ])('takes what is signed by the Ed25519 key of an actor %s (FEP-521a)', async (_who, hasOther) => {
    const ann = harness.stranger(`ed25519${hasOther}.example`, 'ann')
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const keyId = `${ann.uri}#ed25519-key`
    const publicKeyMultibase = multibaseOf(Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'))
    const assertionMethod = [{ id: keyId, type: 'Multikey', controller: ann.uri, publicKeyMultibase }]
    harness.servers.show(ann.uri, { ...ann.document, ...(!hasOther && { publicKey: undefined }), assertionMethod })
    const body = Buffer.from(JSON.stringify(ann.like(1)))
    const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
    const parameters = `("@method" "@target-uri" "content-digest");created=${Math.floor(harness.clock.time / 1000)};keyid="${keyId}"`
    const base = `"@method": POST\n"@target-uri": http://here.example/inbox\n"content-digest": ${digest}\n"@signature-params": ${parameters}`
    const signedBy = (key: KeyObject) => ({
      'Content-Type': 'application/activity+json',
      'Content-Digest': digest,
      'Signature-Input': `sig1=${parameters}`,
      Signature: `sig1=:${sign(null, Buffer.from(base), key).toString('base64')}:`,
    })
    const other = generateKeyPairSync('ed25519').privateKey
    expect((await harness.ask('POST', '/inbox', signedBy(other), body)).status).toBe(401)
    expect((await harness.ask('POST', '/inbox', signedBy(privateKey), body)).status).toBe(202)
    expect((await harness.sends(ann, ann.like(2))).status).toBe(hasOther ? 202 : 401)
    await harness.due()
    expect(worksOf(ann.uri)).toEqual([ann.like(1).id, ...(hasOther ? [ann.like(2).id] : [])])
  })

  it('works what one actor sent in the order it came', async () => {
    const ann = harness.stranger('order.example', 'ann')
    const numbers = Array.from({ length: 25 }, (_, index) => index)
    for (const number of numbers) await harness.sends(ann, ann.like(number))
    await harness.due()
    expect(worksOf(ann.uri)).toEqual(numbers.map((number) => ann.like(number).id))
  })

  it('takes what many send at one moment, once each and whatever is wrong with one of them', async () => {
    const people = Array.from({ length: 12 }, (_, index) => harness.stranger(`crowd${index}.example`, 'ann'))
    for (const each of people) await harness.sends(each, each.like(0))
    const [odd] = people
    const accepted = async () => {
      const metric = harness.wire().module.metrics.find(({ name }) => name === 'rookery_federation_activities_total')!
      const results = await (metric.count() as Promise<{ labels: { result: string }; value: number }[]>)
      return results.find(({ labels }) => labels.result === 'accepted')!.value
    }
    const before = await accepted()
    const twice = people.flatMap((each) => [each.like(1), each.like(1)].map((like) => harness.sends(each, like)))
    const [wrong, ...answers] = await Promise.all([harness.sends(odd!, odd!.like(2, { id: `${odd!.origin}/\u0000` })), ...twice])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    expect(wrong?.status).not.toBe(202)
    expect((await accepted()) - before).toBe(12)
    await harness.due()
    for (const each of people) expect(worksOf(each.uri)).toEqual([each.like(0).id, each.like(1).id])
  })

  it('waits with what is behind one that fails, and files it after the last attempt', async () => {
    const ann = harness.stranger('fails.example', 'ann')
    const { onActivity } = harness.vocabulary
    let attempts = 0
    harness.vocabulary.onActivity = async (...given) => {
      if (given[1].uri === ann.uri && given[0]['id'] === ann.like(1).id) {
        attempts++
        throw new Error('statuses is away')
      }
      return onActivity(...given)
    }
    await harness.sends(ann, ann.like(1))
    await harness.sends(ann, ann.like(2))
    await harness.due()
    expect([attempts, worksOf(ann.uri)]).toEqual([1, []])
    for (let hours = 0; hours < 20 && attempts < 6; hours++) await harness.later(HOUR)
    await harness.later(HOUR)
    harness.vocabulary.onActivity = onActivity
    expect([attempts, worksOf(ann.uri)]).toEqual([6, [ann.like(2).id]])
    const { rows } = await harness.database.pool.query(
      'select error from received_activity where failed_at is not null and actor_uri = $1',
      [ann.uri],
    )
    expect(rows).toEqual([{ error: 'Error: statuses is away' }])
  })

  it('marks what is forwarded: the actor of the activity is not who signed', async () => {
    const [ann, joe] = [harness.stranger('forwards.example', 'ann'), harness.stranger('origin.example', 'joe')]
    await harness.sends(ann, ann.like(1))
    expect((await harness.sends(ann, joe.like(7))).status).toBe(202)
    await harness.due()
    expect(harness.worked.at(-1)).toMatchObject({
      activity: { id: joe.like(7).id },
      actor: { uri: ann.uri },
      context: { isForwarded: true },
    })
  })

  it('takes from its author what another has forwarded before, under the same id', async () => {
    const [eve, ann] = [harness.stranger('eve.example', 'eve'), harness.stranger('late.example', 'ann')]
    const forged = { ...ann.like(1), object: 'http://here.example/users/mara/statuses/2' }
    expect((await harness.sends(eve, forged)).status).toBe(202)
    expect((await harness.sends(ann, ann.like(1))).status).toBe(202)
    await harness.due()
    const worked = harness.worked.filter(({ activity }) => activity['id'] === ann.like(1).id)
    expect(worked.map(({ actor, activity }) => [actor.uri, activity['object']]).sort()).toEqual(
      [
        [eve.uri, forged.object],
        [ann.uri, ann.like(1).object],
      ].sort(),
    )
  })
})

describe('what is not signed as it must be', () => {
  it.each<[string, (path: string) => Record<string, string>]>([
    ['no signature', () => ({ 'Content-Type': 'application/activity+json' })],
    ['no words of a signature', () => ({ 'Content-Type': 'application/activity+json', Signature: 'tea' })],
  ])('%s is 401', async (_, headers) => {
    const answer = await harness.ask('POST', '/inbox', headers('/inbox'), Buffer.from('{}'))
    expect(answer.status).toBe(401)
  })

  it('another body, another address, a stale date and the key of another are 401, and nothing of them is kept', async () => {
    const [ann, joe] = [harness.stranger('forged.example', 'ann'), harness.stranger('forger.example', 'joe')]
    const body = Buffer.from(JSON.stringify(ann.like(1)))
    const other = Buffer.from(JSON.stringify(ann.like(2)))
    const url = 'http://here.example/inbox'
    const now = harness.clock.time
    const tries: [Record<string, string>, Buffer][] = [
      [ann.signed(url, body, { now }), other],
      [ann.signed(url, body, { now, signedUrl: 'http://here.example/users/joel/inbox' }), body],
      [ann.signed(url, body, { now, signedUrl: 'http://elsewhere.example/inbox' }), body],
      [ann.signed(url, body, { now: now - 14 * HOUR }), body],
      [ann.signed(url, body, { now: now + 2 * HOUR }), body],
      [ann.signed(url, body, { now, key: { keyId: ann.keyId, privateKey: joe.privateKey } }), body],
    ]
    for (const [headers, sent] of tries) expect((await harness.ask('POST', '/inbox', headers, sent)).status).toBe(401)
    const { rows } = await harness.database.pool.query('select 1 from received_activity where actor_uri = $1', [ann.uri])
    expect(rows).toEqual([])
  })

  it('a key whose document names an owner elsewhere is no one’s', async () => {
    const joe = harness.stranger('stealer.example', 'joe')
    const ann = harness.stranger('victim.example', 'ann')
    const keyId = `${joe.origin}/keys/1`
    harness.servers.show(keyId, { id: keyId, type: 'Key', owner: ann.uri, publicKeyPem: joe.document.publicKey.publicKeyPem })
    const answer = await harness.sends(ann, ann.like(1), { key: { keyId, privateKey: joe.privateKey } })
    expect(answer.status).toBe(401)
    expect(fetchedFrom(ann.host)).toEqual([])
  })

  it('an actor named in place of a key has signed with the key of theirs, fetched once, and read again once it does not fit', async () => {
    const ann = harness.stranger('keyless.example', 'ann')
    const by = ({ privateKey }: { privateKey: KeyObject }) => ({ key: { keyId: ann.uri, privateKey } })
    for (const number of [1, 2]) expect((await harness.sends(ann, ann.like(number), by(ann))).status).toBe(202)
    expect(fetchedFrom(ann.host)).toHaveLength(1)
    expect((await harness.sends(ann, ann.like(3), by(newPair()))).status).toBe(401)
    harness.clock.time += 10 * 60_000
    const renewed = harness.stranger('keyless.example', 'ann')
    expect((await harness.sends(renewed, renewed.like(4), by(renewed))).status).toBe(202)
    await harness.due()
    expect(worksOf(ann.uri)).toEqual([1, 2, 4].map((number) => ann.like(number).id))
  })

  it('a key that someone known here does not name is looked for once in five minutes', async () => {
    const ann = harness.stranger('renames.example', 'ann')
    expect((await harness.sends(ann, ann.like(1))).status).toBe(202)
    const pair = newPair()
    const keyId = `${ann.uri}#another-key`
    const before = fetchedFrom(ann.host).length
    for (const number of [2, 3, 4])
      expect((await harness.sends(ann, ann.like(number), { key: { keyId, privateKey: pair.privateKey } })).status).toBe(401)
    expect(fetchedFrom(ann.host)).toHaveLength(before + 1)
    harness.servers.show(ann.uri, { ...ann.document, publicKey: { id: keyId, owner: ann.uri, publicKeyPem: pair.publicKeyPem } })
    harness.clock.time += 6 * 60_000
    expect((await harness.sends(ann, ann.like(5), { key: { keyId, privateKey: pair.privateKey } })).status).toBe(202)
  })

  it('a key of an actor who does not name it is no one’s', async () => {
    const ann = harness.stranger('unnamed.example', 'ann')
    const pair = newPair()
    const keyId = `${ann.uri}#another-key`
    expect((await harness.sends(ann, ann.like(1), { key: { keyId, privateKey: pair.privateKey } })).status).toBe(401)
  })

  it('an actor document whose id is elsewhere is believed there only', async () => {
    const joe = harness.stranger('liar.example', 'joe')
    const ann = harness.stranger('lied-about.example', 'ann')
    harness.servers.show(joe.uri, { ...ann.document, publicKey: joe.document.publicKey })
    expect((await harness.sends(joe, joe.like(1))).status).toBe(401)
  })

  it('a new key is read once, when the old one does not fit, and not again for each wrong signature', async () => {
    const ann = harness.stranger('rotates.example', 'ann')
    expect((await harness.sends(ann, ann.like(1))).status).toBe(202)
    const renewed = harness.stranger('rotates.example', 'ann')
    expect((await harness.sends(renewed, renewed.like(2))).status).toBe(202)
    const before = fetchedFrom(ann.host).length
    for (const number of [3, 4, 5]) expect((await harness.sends(ann, ann.like(number))).status).toBe(401)
    expect(fetchedFrom(ann.host)).toHaveLength(before)
  })
})

describe('what has no form of an activity', () => {
  it.each<[string, string]>([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['nothing', 'null'],
    ['no type', '{"actor":"x"}'],
    ['an id of another host', JSON.stringify({ id: 'https://elsewhere.example/1', type: 'Like', actor: 'http://form.example/users/ann' })],
    ['very deep', `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`],
  ])('%s is 400', async (_, text) => {
    const ann = harness.stranger('form.example', 'ann')
    const body = Buffer.from(text)
    const answer = await harness.ask('POST', '/inbox', ann.signed('http://here.example/inbox', body, { now: harness.clock.time }), body)
    expect(answer.status).toBe(400)
  })

  it('more than a megabyte is refused', async () => {
    const ann = harness.stranger('form.example', 'ann')
    const body = Buffer.alloc(1024 * 1024 + 1, ' ')
    const answer = await harness.ask('POST', '/inbox', ann.signed('http://here.example/inbox', body, { now: harness.clock.time }), body)
    expect(answer.status).toBe(422)
  })

  it('another content type is 400', async () => {
    const answer = await harness.ask('POST', '/inbox', { 'Content-Type': 'text/html' }, Buffer.from('tea'))
    expect(answer.status).toBe(400)
  })
})

describe('requests that say they are signed', () => {
  const SIGNED = { Signature: 'keyId="https://counted.example/users/ann#main-key",signature="AA=="' }
  const { max } = RATE_LIMITS.signedRequests
  const asked = async (method: string, path: string, headers: Record<string, string>, body?: Buffer) => {
    const answer = await harness.ask(method, path, { ...SIGNED, ...headers }, body)
    return [answer.status, Number(answer.headers['x-ratelimit-limit']), Number(answer.headers['x-ratelimit-remaining'])]
  }

  it('count by address where their signature is not checked, so that the word alone opens nothing', async () => {
    const [, , before] = await asked('GET', '/actor', {})
    expect(await asked('GET', '/users/mara', { Accept: 'text/html' })).toEqual([302, max, before! - 1])
    expect(await asked('POST', '/users/mara', {})).toEqual([404, max, before! - 2])
    expect(await asked('POST', '/inbox', { 'Content-Type': 'text/html' }, Buffer.from('tea'))).toEqual([400, max, before! - 3])
    const large = Buffer.alloc(1024 * 1024 + 1, ' ')
    expect(await asked('POST', '/inbox', { 'Content-Type': 'application/activity+json' }, large)).toEqual([422, max, before! - 4])
  })

  it('do not use up what another host may send', async () => {
    const ann = harness.stranger('counted.example', 'ann')
    const now = harness.clock.time
    const remaining = async () => {
      const counted = await harness.rates.hit([{ key: `inbox:${ann.host}`, windowSeconds: RATE_LIMITS.inbox.windowSeconds, amount: 0 }])
      return RATE_LIMITS.inbox.max - counted[0]!
    }
    const forged = async (text: string, key: typeof newKey) => {
      const body = Buffer.from(text)
      return (await harness.ask('POST', '/inbox', ann.signed('http://here.example/inbox', body, { now, key }), body)).status
    }
    const newKey = { keyId: ann.keyId, privateKey: newPair().privateKey }
    const deletion = { id: `${ann.origin}/gone#delete`, type: 'Delete', actor: `${ann.origin}/gone`, object: `${ann.origin}/gone` }
    expect([await forged('tea', newKey), await forged(JSON.stringify(deletion), newKey)]).toEqual([400, 202])
    expect(await forged(JSON.stringify(ann.like(1)), newKey)).toBe(401)
    expect(await remaining()).toBe(RATE_LIMITS.inbox.max)
    expect((await harness.sends(ann, ann.like(2))).status).toBe(202)
    expect(await remaining()).toBe(RATE_LIMITS.inbox.max - 1)
  })
})

describe('whom no one here knows', () => {
  it('is not fetched when they are deleted', async () => {
    const gone = harness.stranger('gone.example', 'ann')
    const answer = await harness.sends(gone, { id: `${gone.uri}#delete`, type: 'Delete', actor: gone.uri, object: gone.uri })
    expect(answer.status).toBe(202)
    expect(fetchedFrom(gone.host)).toEqual([])
  })

  it('and whose key cannot be had is 401', async () => {
    const ann = harness.stranger('silent.example', 'ann')
    harness.servers.on(`GET ${ann.host}/users/ann`, (_request, response) => response.writeHead(500).end())
    expect((await harness.sends(ann, ann.like(1))).status).toBe(401)
  })
})

describe('a suspended domain', () => {
  it('is refused before anything is fetched, its subdomains too', async () => {
    await harness.database.pool.query("insert into domain_block (domain, severity) values ('blocked.example', 'suspend')")
    const ann = harness.stranger('sub.blocked.example', 'ann')
    expect((await harness.sends(ann, ann.like(1))).status).toBe(403)
    expect(fetchedFrom(ann.host)).toEqual([])
  })

  it('spares a subdomain about which staff decided otherwise', async () => {
    await harness.database.pool.query(
      "insert into domain_block (domain, severity) values ('harsh.example', 'suspend'), ('spared.harsh.example', 'silence')",
    )
    const [spared, other] = [harness.stranger('spared.harsh.example', 'ann'), harness.stranger('other.harsh.example', 'ann')]
    expect((await harness.sends(spared, spared.like(1))).status).toBe(202)
    expect((await harness.sends(other, other.like(1))).status).toBe(403)
  })

  it('is refused also under its name with the dot of the root', async () => {
    await harness.database.pool.query("insert into domain_block (domain, severity) values ('dotted.example', 'suspend')")
    const ann = harness.stranger('dotted.example.', 'ann')
    expect((await harness.sends(ann, ann.like(1))).status).toBeOneOf([401, 403])
    expect(fetchedFrom(ann.host)).toEqual([])
  })

  it('is all but those that are allowed where the server speaks with listed ones only', async () => {
    const closed = await openWire({ FEDERATION_MODE: 'allowlist' })
    await closed.database.pool.query("insert into domain_allow (domain, created_at) values ('friend.example', now())")
    const [friend, other] = [closed.stranger('friend.example', 'ann'), closed.stranger('other.example', 'ann')]
    expect((await closed.sends(friend, friend.like(1))).status).toBe(202)
    expect((await closed.sends(other, other.like(1))).status).toBe(403)
    await closed.close()
  })
})
