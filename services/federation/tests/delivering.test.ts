import { transact } from '@rookery/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isSignedBy, readSignature } from '../src/signatures/index.ts'
import type { Arrived } from './other-server.ts'
import { openWire, type WireHarness } from './wire-harness.ts'

const HOUR = 3_600_000

let harness: WireHarness
beforeAll(async () => {
  harness = await openWire()
})
afterAll(() => harness.close())

const activity = (id: string) => Buffer.from(JSON.stringify({ id, type: 'Create' }))
let numbers = 0
/** Delivers a new activity of mara to inboxes. */
const delivers = async (inboxes: string[], more: { id?: string; senderId?: string; accountIds?: string[]; endsFollow?: boolean } = {}) => {
  const { id = `http://here.example/${++numbers}`, senderId = '7', accountIds = [], endsFollow = false } = more
  await harness.deliver({ activityId: id, senderId, inboxes, accountIds, payload: activity(id), endsFollow })
  return id
}
/** Suspends a domain, and lifts the suspension. */
const suspends = (domain: string) =>
  harness.database.pool.query("insert into domain_block (domain, severity) values ($1, 'suspend')", [domain])
const lifts = (domain: string) => harness.database.pool.query('delete from domain_block where domain = $1', [domain])
const inboxAt = (host: string) => `http://${harness.servers.host(host)}/inbox`
const arrivedAt = (host: string) => harness.servers.posted().filter((each) => each.host === harness.servers.host(host))
const idsAt = (host: string) => arrivedAt(host).map(({ body }) => JSON.parse(body.toString()).id)
const resultOf = async (id: string) =>
  (await harness.database.pool.query('select result from delivery where activity_id = $1', [id])).rows.map(({ result }) => result)

/** Whether a request to another server is signed by the published key of an account. */
const verifies = async ({ method, host, path, headers, body }: Arrived, accountId: string) => {
  const message = { method, url: new URL(`http://${host}`), target: path, headers, body }
  return isSignedBy(readSignature(message, harness.clock.time), await harness.wire().keys.publicKeyOf(accountId))
}

describe('a delivery', () => {
  it('is signed by its sender and counts its host among the peers', async () => {
    const id = await delivers([inboxAt('first.example')])
    await harness.due()
    const [arrived] = arrivedAt('first.example')
    expect(JSON.parse(arrived!.body.toString())).toEqual({ id, type: 'Create' })
    expect(arrived!.headers).toMatchObject({ 'content-type': 'application/activity+json', host: harness.servers.host('first.example') })
    expect(arrived!.headers['signature']).toContain('keyId="http://here.example/users/mara#main-key"')
    expect(await verifies(arrived!, '7')).toBe(true)
    expect(await resultOf(id)).toEqual(['delivered'])
    expect((await harness.database.pool.query("select 1 from peer where domain = 'first.example'")).rows).toHaveLength(1)
  })

  it('of the server itself is signed by its own key', async () => {
    await delivers([inboxAt('server.example')], { senderId: '' })
    await harness.due()
    expect(arrivedAt('server.example')[0]?.headers['signature']).toContain('keyId="http://here.example/actor#main-key"')
    expect(await verifies(arrivedAt('server.example')[0]!, '')).toBe(true)
  })

  it('is made once for an activity and an inbox, however often it is written', async () => {
    const id = await delivers([inboxAt('twice.example'), inboxAt('twice.example')])
    await delivers([inboxAt('twice.example')], { id })
    await harness.due()
    await delivers([inboxAt('twice.example')], { id })
    await harness.due()
    expect(idsAt('twice.example')).toEqual([id])
  })

  it('goes to a shared inbox once for all who have it, and to no one who is gone', async () => {
    const people = ['ann', 'joe', 'kim'].map((name) => harness.stranger('shared.example', name))
    const alone = harness.stranger('alone.example', 'ann', { hasSharedInbox: false })
    const accountIds = []
    for (const each of [...people, alone]) accountIds.push((await harness.wire().actors.byUri(each.uri))!.accountId)
    await delivers([], { accountIds })
    await harness.due()
    expect(arrivedAt('shared.example').map(({ path }) => path)).toEqual(['/inbox'])
    expect(arrivedAt('alone.example').map(({ path }) => path)).toEqual(['/users/ann/inbox'])
    harness.servers.on(`POST ${alone.host}`, (_request, response) => response.writeHead(410).end())
    await delivers([], { accountIds })
    await harness.due()
    const last = await delivers([], { accountIds })
    expect(await resultOf(last)).toHaveLength(1)
    await harness.due()
  })

  it('is never to this server, nor to what is no web address', async () => {
    const id = await delivers(['http://here.example/inbox', 'tea', 'file:///etc/passwd', 'javascript:1'])
    expect(await resultOf(id)).toEqual([])
  })

  it('is signed by RFC 9421 where the host has shown that it speaks it, and as before where it is refused', async () => {
    const ann = harness.stranger('newer.example', 'ann')
    await harness.sends(ann, ann.like(1), { kind: 'rfc9421' })
    await delivers([ann.inbox])
    await harness.due()
    expect(arrivedAt('newer.example')[0]?.headers['signature-input']).toContain('"@method" "@target-uri" "content-digest"')
    expect(await verifies(arrivedAt('newer.example')[0]!, '7')).toBe(true)
    harness.servers.on(`POST ${ann.host}`, ({ headers }, response) => response.writeHead(headers['signature-input'] ? 401 : 202).end())
    const id = await delivers([ann.inbox])
    await harness.due()
    expect(arrivedAt('newer.example').map(({ headers }) => 'signature-input' in headers)).toEqual([true, true, false])
    expect(await resultOf(id)).toEqual(['delivered'])
  })

  it('is signed by RFC 9421 where a host refuses the older signatures, from then on', async () => {
    const host = harness.servers.host('newest.example')
    harness.servers.on(`POST ${host}`, ({ headers }, response) => response.writeHead(headers['signature-input'] ? 202 : 401).end())
    const ids = [await delivers([inboxAt('newest.example')])]
    await harness.due()
    ids.push(await delivers([inboxAt('newest.example')]))
    await harness.due()
    expect(arrivedAt('newest.example').map(({ headers }) => 'signature-input' in headers)).toEqual([false, true, true])
    for (const id of ids) expect(await resultOf(id)).toEqual(['delivered'])
  })

  it('is tried with both kinds of signatures where a host refuses either, and the older one stays', async () => {
    const host = harness.servers.host('neither.example')
    harness.servers.on(`POST ${host}`, (_request, response) => response.writeHead(401).end())
    await delivers([inboxAt('neither.example')])
    await harness.due()
    await harness.later(3_600_000)
    expect(arrivedAt('neither.example').map(({ headers }) => 'signature-input' in headers)).toEqual([false, true, false, true])
  })
})

describe('a host that fails', () => {
  it('is asked again later and later, with all that waits for it, in order', async () => {
    const host = harness.servers.host('down.example')
    harness.servers.on(`POST ${host}`, (_request, response) => response.writeHead(503).end())
    const ids = [
      await delivers([inboxAt('down.example')]),
      await delivers([inboxAt('down.example')]),
      await delivers([inboxAt('down.example')]),
    ]
    await harness.due()
    expect(idsAt('down.example')).toEqual([ids[0]])
    await harness.later(20_000)
    expect(idsAt('down.example')).toHaveLength(1)
    await harness.later(20_000)
    expect(idsAt('down.example')).toEqual([ids[0], ids[0]])
    const more = await delivers([inboxAt('down.example')])
    await harness.due()
    expect(idsAt('down.example')).toHaveLength(2)
    harness.servers.off(`POST ${host}`)
    await harness.later(HOUR)
    expect(idsAt('down.example').slice(2)).toEqual([...ids, more])
    const { rows } = await harness.database.pool.query('select failures, failing_since from host where domain = $1', [host])
    expect(rows).toEqual([{ failures: 0, failing_since: null }])
  })

  it('is given up after two days', async () => {
    const host = harness.servers.host('dead.example')
    harness.servers.on(`POST ${host}`, (_request, response) => response.destroy())
    const id = await delivers([inboxAt('dead.example')])
    await harness.due()
    for (let hours = 0; hours < 60; hours += 6) await harness.later(6 * HOUR + 1)
    expect(await resultOf(id)).toEqual(['expired'])
    expect(arrivedAt('dead.example').length).toBeLessThan(12)
    harness.servers.off(`POST ${host}`)
    const next = await delivers([inboxAt('dead.example')])
    await harness.later(7 * HOUR)
    expect(await resultOf(next)).toEqual(['delivered'])
  })

  it.each([
    [400, 'refused'],
    [404, 'refused'],
    [410, 'gone'],
    [301, 'refused'],
  ])('an answer %d ends the delivery, and the next one is made', async (status, result) => {
    const name = `status-${status}.example`
    const host = harness.servers.host(name)
    harness.servers.on(`POST ${host}`, (_request, response) => response.writeHead(status, { Location: inboxAt('elsewhere.example') }).end())
    const first = await delivers([inboxAt(name)])
    await harness.due()
    harness.servers.off(`POST ${host}`)
    const second = await delivers([inboxAt(name)])
    await harness.due()
    expect([await resultOf(first), await resultOf(second)]).toEqual([[result], ['delivered']])
    expect(arrivedAt('elsewhere.example')).toEqual([])
  })

  it('an activity that breaks its host holds up those behind it for a few attempts only', async () => {
    const host = harness.servers.host('breaks.example')
    const bad = await delivers([inboxAt('breaks.example')])
    const good = await delivers([inboxAt('breaks.example')])
    harness.servers.on(`POST ${host}`, ({ body }, response) => response.writeHead(body.includes(bad) ? 500 : 202).end())
    for (let hours = 0; hours < 6; hours++) await harness.later(HOUR)
    expect([await resultOf(bad), await resultOf(good)]).toEqual([['refused'], ['delivered']])
  })

  it('gets nothing once its domain is suspended', async () => {
    const id = await delivers([inboxAt('sub.suspended.example')])
    await suspends('suspended.example')
    await harness.due()
    expect([arrivedAt('sub.suspended.example'), await resultOf(id)]).toEqual([[], ['blocked']])
  })
})

describe('a domain that is suspended', () => {
  it('is told once that a follow ends, and nothing that waits before or behind it', async () => {
    await suspends('farewell.example')
    const before = await delivers([inboxAt('farewell.example')])
    const end = await delivers([inboxAt('farewell.example')], { endsFollow: true })
    const behind = await delivers([inboxAt('farewell.example')])
    await harness.due()
    await harness.later(HOUR)
    expect(idsAt('farewell.example')).toEqual([end])
    expect([await resultOf(before), await resultOf(end), await resultOf(behind)]).toEqual([['blocked'], ['delivered'], ['blocked']])
  })

  it('is told that later when it does not answer, still nothing else, and in order with what follows once it is no longer suspended', async () => {
    const host = harness.servers.host('asleep.example')
    harness.servers.on(`POST ${host}`, (_request, response) => response.writeHead(503).end())
    await suspends('asleep.example')
    const ends = [
      await delivers([inboxAt('asleep.example')], { endsFollow: true }),
      await delivers([inboxAt('asleep.example')], { endsFollow: true }),
    ]
    await harness.due()
    const unsaid = await delivers([inboxAt('asleep.example')])
    await harness.due()
    expect([idsAt('asleep.example'), await resultOf(unsaid)]).toEqual([[ends[0]], ['blocked']])
    harness.servers.off(`POST ${host}`)
    await lifts('asleep.example')
    const again = await delivers([inboxAt('asleep.example')])
    await harness.later(HOUR)
    expect(idsAt('asleep.example')).toEqual([ends[0], ...ends, again])
  })

  it('gets nothing that is written while it is told', async () => {
    const host = harness.servers.host('told.example')
    await suspends('told.example')
    let meanwhile = ''
    harness.servers.on(`POST ${host}`, async (_request, response) => {
      meanwhile ||= await delivers([inboxAt('told.example')])
      response.writeHead(202).end()
    })
    const end = await delivers([inboxAt('told.example')], { endsFollow: true })
    await harness.due()
    await harness.due()
    expect([idsAt('told.example'), await resultOf(meanwhile)]).toEqual([[end], ['blocked']])
  })
})

describe('a domain that is not on the list of those that are spoken with', () => {
  it('gets nothing, not even that a follow ends; one on the list that is suspended is told that', async () => {
    const closed = await openWire({ FEDERATION_MODE: 'allowlist' })
    await closed.database.pool.query("insert into domain_allow (domain, created_at) values ('listed.example', now())")
    await closed.database.pool.query("insert into domain_block (domain, severity) values ('listed.example', 'suspend')")
    const inboxes = ['listed.example', 'unlisted.example'].map((host) => `http://${closed.servers.host(host)}/inbox`)
    await closed.deliver({ activityId: 'http://here.example/end', senderId: '7', inboxes, payload: activity('end'), endsFollow: true })
    await closed.deliver({ activityId: 'http://here.example/other', senderId: '7', inboxes, payload: activity('other') })
    await closed.due()
    const arrived = closed.servers.posted().map(({ host, body }) => [host, JSON.parse(body.toString()).id])
    await closed.close()
    expect(arrived).toEqual([[closed.servers.host('listed.example'), 'end']])
  })
})

describe('keys', () => {
  it('are made once by processes that race, and are not to be read in the database', async () => {
    const wires = [harness.build(), harness.build(), harness.build()]
    const keys = await Promise.all(wires.map(({ keys }) => keys.publicKeyOf('8')))
    expect(new Set(keys).size).toBe(1)
    const { rows } = await harness.database.pool.query('select private_key from actor_key')
    expect(rows.length).toBeGreaterThan(1)
    for (const { private_key } of rows) expect(private_key.toString('latin1')).not.toContain('PRIVATE KEY')
  })

  it('are replaced by a rotation', async () => {
    const before = await harness.wire().keys.publicKeyOf('8')
    await harness.wire().keys.rotate('8')
    const after = await harness.wire().keys.publicKeyOf('8')
    expect(after).not.toBe(before)
    await delivers([inboxAt('rotated.example')], { senderId: '8' })
    await harness.due()
    expect(await verifies(arrivedAt('rotated.example')[0]!, '8')).toBe(true)
  })

  it('encrypted by what was kept in the database are read once a setting encrypts', async () => {
    const before = await openWire({ ENCRYPTION_KEY: '' })
    const key = await before.wire().keys.publicKeyOf('7')
    const { keys } = before.build({ ENCRYPTION_KEY: 'a first key of thirty-two characters!' })
    expect(await keys.publicKeyOf('7')).toBe(key)
    await before.close()
  })

  it('encrypted by another key are an error that says so', async () => {
    await harness.wire().keys.publicKeyOf('7')
    const other = harness.build({ ENCRYPTION_KEY: 'another key of thirty-two characters!' })
    await expect(other.keys.publicKeyOf('7')).rejects.toThrow('ENCRYPTION_KEY')
    harness.build({ ENCRYPTION_KEY: 'another key of thirty-two characters!,a key of thirty-two characters or so' })
    expect(await harness.wire().keys.publicKeyOf('7')).toContain('BEGIN PUBLIC KEY')
    harness.build()
  })
})

describe('10,000 followers on 500 servers', () => {
  it('take 500 deliveries, one for each server', async () => {
    const crowd = await openWire()
    const hosts = Array.from({ length: 500 }, (_, index) => crowd.servers.host(`h${index}.example`))
    await crowd.database.pool.query(
      `insert into remote_actor (uri, account_id, domain, handle_domain, inbox, shared_inbox, followers_uri, featured_uri, outbox_uri, key_id,
         public_key_pem, document, fetched_at)
       select 'http://' || host || '/users/' || n, 100000 + (place - 1) * 20 + n, host, '', 'http://' || host || '/users/' || n || '/inbox',
         'http://' || host || '/inbox', '', '', '', 'http://' || host || '/users/' || n || '#key', '', '', now()
       from unnest($1::text[]) with ordinality as hosts (host, place), generate_series(1, 20) n`,
      [hosts],
    )
    const accountIds = Array.from({ length: 10_000 }, (_, index) => String(100_001 + index))
    const { startWorker } = await import('@rookery/jobs')
    await transact(crowd.database.db, (tx) =>
      crowd.wire().deliver(tx, { activityId: 'http://here.example/1', senderId: '7', accountIds, payload: Buffer.alloc(4000, 'a') }),
    )
    const { promise, resolve } = Promise.withResolvers<void>()
    let count = 0
    crowd.servers.on('POST', (_request, response) => {
      response.writeHead(202).end()
      if (++count === 500) resolve()
    })
    const worker = await startWorker({ url: crowd.url, service: 'federation', jobs: crowd.wire().module.jobs, atOnce: 24 })
    await promise
    await worker.close()
    expect(crowd.servers.posted()).toHaveLength(500)
    expect(new Set(crowd.servers.posted().map(({ host }) => host)).size).toBe(500)
    await crowd.close()
  })
})
