import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPair } from './other-server.ts'
import { openWire, type WireHarness } from './wire-harness.ts'

const FIVE_MINUTES = 300_000
const DAY = 86_400_000

let harness: WireHarness
beforeAll(async () => {
  harness = await openWire({ TRUSTED_PROXIES: 'loopback' })
})
afterAll(() => harness.close())

type Stranger = ReturnType<WireHarness['stranger']>
const JSON_TYPE = { 'Content-Type': 'application/activity+json' }
const URL_OF_INBOX = 'http://here.example/inbox'

/** Counts the rows that unknown senders can cause. */
const rows = async () => {
  const { rows: found } = await harness.database.pool.query(
    `select (select count(*)::int from received_activity) activities, (select count(*)::int from remote_actor) actors,
       (select count(*)::int from host) hosts, (select count(*)::int from peer) peers,
       (select count(*)::int from federation_jobs._private_jobs) jobs`,
  )
  return found[0]
}
const fetches = (host: string) => harness.servers.arrived.filter((each) => each.host === host && each.method === 'GET').length

let addresses = 0
/** An address that no rate limit has counted yet. */
const newAddress = () => `203.0.113.${++addresses}`
const post = (headers: Record<string, string>, { address, body = Buffer.from('{}') }: { address: string; body?: Buffer }) =>
  harness.ask('POST', '/inbox', { ...JSON_TYPE, 'X-Forwarded-For': address, ...headers }, body)
const sends = (from: Stranger, number: number, address: string, key?: { keyId: string; privateKey: Stranger['privateKey'] }) => {
  const body = Buffer.from(JSON.stringify(from.like(number)))
  return post(from.signed(URL_OF_INBOX, body, { now: harness.clock.time, ...(key && { key }) }), { address, body })
}

/**
 * Sends requests while all other servers hold their responses, and hang up once all but `pending` requests are answered. Counts the answers
 * by status.
 */
const whileNoneAnswers = async (requests: readonly (() => Promise<{ status: number }>)[], { pending }: { pending: number }) => {
  const held = new Set<ServerResponse>()
  const counts: Record<number, number> = {}
  let waiting = requests.length
  const hangUp = () => {
    if (waiting > pending) return
    for (const response of held) response.destroy()
    held.clear()
  }
  harness.servers.on('GET', (_request, response) => {
    held.add(response)
    hangUp()
  })
  await Promise.all(
    requests.map(async (request) => {
      const { status } = await request()
      counts[status] = (counts[status] ?? 0) + 1
      waiting--
      hangUp()
    }),
  )
  harness.servers.off('GET')
  return counts
}

describe('a flood from one host', () => {
  it('of 90,000 activities in five minutes is refused, before its keys are asked for; others are heard', async () => {
    const [loud, quiet] = [harness.stranger('loud.example', 'eve'), harness.stranger('quiet.example', 'ann')]
    expect((await sends(loud, 1, newAddress())).status).toBe(202)
    await harness.limits().count([{ limit: 'inbox', by: loud.host, amount: 89_999 }])
    const before = await rows()
    const newcomer = harness.stranger('loud.example', 'joe')
    const asked = fetches(loud.host)
    for (const number of [2, 3]) expect((await sends(loud, number, newAddress())).status).toBe(429)
    expect((await sends(newcomer, 1, newAddress())).status).toBe(429)
    expect([await rows(), fetches(loud.host)]).toEqual([before, asked])
    expect((await sends(quiet, 1, newAddress())).status).toBe(202)
    harness.clock.time += FIVE_MINUTES
    expect((await sends(loud, 2, newAddress())).status).toBe(202)
  })

  it('of one activity again and again keeps it once', async () => {
    const eve = harness.stranger('again.example', 'eve')
    await sends(eve, 1, newAddress())
    const before = await rows()
    for (let time = 0; time < 50; time++) expect((await sends(eve, 1, newAddress())).status).toBe(202)
    expect(await rows()).toEqual(before)
  })

  it('of people whose keys do not come has 16 wait at once, and the rest is to be sent again', async () => {
    const pair = newPair()
    const first = harness.stranger('slow.example', 'first', { pair })
    const key = (number: number) => ({ keyId: `${first.origin}/users/p${number}#main-key`, privateKey: pair.privateKey })
    const address = newAddress()
    const flood = Array.from({ length: 40 }, (_, number) => () => sends(first, 1, address, key(number)))
    expect(await whileNoneAnswers(flood, { pending: 16 })).toEqual({ 401: 16, 503: 24 })
  })
})

describe('a flood from many hosts', () => {
  it('whose keys do not come has 64 wait at once, answers the rest, and keeps nothing of it', async () => {
    const pair = newPair()
    const before = await rows()
    const eve = harness.stranger('thousand.example', 'eve', { pair })
    const flood = Array.from({ length: 1000 }, (_, number) => {
      const keyId = `http://${harness.servers.host(`h${number}.flood.example`)}/users/eve#main-key`
      return () => sends(eve, number, `198.51.100.${number % 250}`, { keyId, privateKey: pair.privateKey })
    })
    expect(await whileNoneAnswers(flood, { pending: 64 })).toEqual({ 401: 64, 503: 936 })
    expect(await rows()).toEqual(before)
    expect((await sends(eve, 1, newAddress())).status).toBe(202)
  })

  it('that sign as they must keeps of each one person, one activity and one job, and forgets those who have no account', async () => {
    const pair = newPair()
    const before = await rows()
    const strangers = Array.from({ length: 300 }, (_, number) => harness.stranger(`s${number}.sound.example`, 'eve', { pair }))
    for (let start = 0; start < strangers.length; start += 10) {
      const answers = await Promise.all(
        strangers.slice(start, start + 10).map((each, index) => sends(each, 1, `192.0.2.${(start + index) % 250}`)),
      )
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202))
    }
    const after = await rows()
    for (const kept of ['activities', 'actors', 'jobs', 'peers']) expect([kept, after[kept] - before[kept]]).toEqual([kept, 300])
    expect(after.hosts).toBe(before.hosts)
    await harness.due()
    harness.clock.time += 8 * DAY
    await harness
      .wire()
      .module.jobs.find(({ name }) => name === 'prune-federation')!
      .run({})
    expect(await rows()).toMatchObject({ activities: 0, actors: 0, jobs: 0 })
  })
})

describe('wrong signatures', () => {
  it('of one address are counted: after 300 in five minutes it is refused, however well it signs; others are not', async () => {
    const ann = harness.stranger('mistaken.example', 'ann')
    const [address, other] = [newAddress(), newAddress()]
    for (let number = 0; number < 300; number++) expect((await post({}, { address })).status).toBe(401)
    const asked = fetches(ann.host)
    const refused = await sends(ann, 1, address)
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)])
    expect(fetches(ann.host)).toBe(asked)
    const signed = ann.signed('http://here.example/users/mara/statuses/1', undefined, { now: harness.clock.time })
    const read = () =>
      harness.ask('GET', '/users/mara/statuses/1', { Accept: 'application/activity+json', 'X-Forwarded-For': address, ...signed })
    expect((await read()).status).toBe(429)
    expect((await sends(ann, 1, other)).status).toBe(202)
    harness.clock.time += FIVE_MINUTES
    expect((await sends(ann, 2, address)).status).toBe(202)
  })

  it('by another key than the one that is known ask for it again once in five minutes, however many come', async () => {
    const ann = harness.stranger('changed.example', 'ann')
    await sends(ann, 1, newAddress())
    const asked = fetches(ann.host)
    const key = { keyId: ann.keyId, privateKey: newPair().privateKey }
    for (let number = 0; number < 20; number++) expect((await sends(ann, 2, newAddress(), key)).status).toBe(401)
    expect(fetches(ann.host)).toBe(asked + 1)
  })

  it('are seen in the metrics', async () => {
    const metric = harness.wire().module.metrics.find(({ name }) => name === 'rookery_federation_activities_total')!
    const counts = new Map(
      ((await metric.count()) as { labels: { result: string }; value: number }[]).map(({ labels, value }) => [labels.result, value]),
    )
    for (const result of ['limited', 'unsigned', 'accepted', 'repeated']) expect([result, counts.get(result)! > 0]).toEqual([result, true])
  })
})
