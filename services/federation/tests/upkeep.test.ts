import { FederationOperatorDefinition } from '@rookery/contracts/federation'
import { link } from '@rookery/rpc'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWire, type WireHarness } from './wire-harness.ts'

const DAY = 86_400_000

let harness: WireHarness
beforeAll(async () => {
  harness = await openWire()
})
afterAll(() => harness.close())

const operator = () => link(FederationOperatorDefinition, harness.wire().module.operator[0]!)
const inboxAt = (host: string) => `http://${harness.servers.host(host)}/inbox`
const delivers = (host: string, number: number) =>
  harness.deliver({
    activityId: `http://here.example/${host}/${number}`,
    senderId: '7',
    inboxes: [inboxAt(host)],
    payload: Buffer.from('{}'),
  })

it('lists hosts that fail and what waits, asks them again, and gives up what waits', async () => {
  const host = harness.servers.host('down.example')
  harness.servers.on(`POST ${host}`, (_request, response) => response.writeHead(503).end())
  for (const number of [1, 2]) await delivers('down.example', number)
  await delivers('up.example', 1)
  await harness.due()
  const { peers } = await operator().listPeers(harness.call(), { afterDomain: '', failing: true, beginsWith: '' })
  expect(peers).toMatchObject([{ domain: host, waiting: 2, failures: 1 }])
  expect(
    (await operator().listPeers(harness.call(), { afterDomain: '', failing: false, beginsWith: '' })).peers.map(({ domain }) => domain),
  ).toContain('up.example')
  const { deliveries } = await operator().listDeliveries(harness.call(), { domain: host })
  expect(deliveries).toMatchObject([{ inbox: inboxAt('down.example'), attempts: 1 }, { attempts: 0 }])
  expect((await operator().retry(harness.call(), { domain: 'down.example' })).count).toBe(1)
  await harness.due()
  expect((await operator().listPeers(harness.call(), { afterDomain: '', failing: true, beginsWith: '' })).peers).toMatchObject([
    { failures: 1 },
  ])
  expect(harness.servers.posted().filter((each) => each.host === host)).toHaveLength(2)
  expect((await operator().drop(harness.call(), { domain: 'down.example' })).count).toBe(2)
  expect((await operator().listDeliveries(harness.call(), { domain: '' })).deliveries).toEqual([])
  await expect(operator().drop(harness.call(), { domain: ' ' })).rejects.toMatchObject({ kind: 'invalid' })
})

it('reads a person again, removes those of a domain, and makes new keys', async () => {
  const people = [
    harness.stranger('far.example', 'ann'),
    harness.stranger('sub.far.example', 'joe'),
    harness.stranger('not-far.example', 'kim'),
  ]
  const [ann, joe, kim] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]]
  for (const { uri } of people) expect(await operator().refresh(harness.call(), { address: uri })).toMatchObject({ uri })
  await expect(operator().refresh(harness.call(), { address: 'http://nowhere.example/users/x' })).rejects.toMatchObject({
    kind: 'not_found',
  })
  expect((await operator().purge(harness.call(), { domain: 'far.example' })).count).toBe(2)
  expect((await operator().purge(harness.call(), { domain: 'far.example' })).count).toBe(0)
  expect(harness.removed.sort()).toEqual([ann.uri, joe.uri].sort())
  expect(await harness.wire().actors.knownByUris([ann.uri, joe.uri, kim.uri])).toMatchObject([{ uri: kim.uri }])
  const before = await harness.wire().keys.publicKeyOf('')
  expect(await operator().rotateKey(harness.call(), { username: '' })).toEqual({ keyId: 'http://here.example/actor#main-key' })
  expect(await harness.wire().keys.publicKeyOf('')).not.toBe(before)
})

it('forgets what was delivered and worked after some days', async () => {
  const ann = harness.stranger('forgotten.example', 'ann')
  await harness.sends(ann, ann.like(1))
  await harness.due()
  const counts = async () => {
    const { rows } = await harness.database.pool.query(
      'select (select count(*)::int from outbound_activity) out, (select count(*)::int from delivery) each, (select count(*)::int from received_activity) arrived',
    )
    return rows[0]
  }
  expect(await counts()).toMatchObject({ arrived: 1 })
  harness.clock.time += 5 * DAY
  await harness
    .wire()
    .module.jobs.find(({ name }) => name === 'prune-federation')!
    .run({})
  expect(await counts()).toEqual({ out: 0, each: 0, arrived: 0 })
})

it('shows metrics of what came and went', async () => {
  const metrics = Object.fromEntries(
    await Promise.all(harness.wire().module.metrics.map(async ({ name, count }) => [name, await count()] as const)),
  )
  expect(metrics['rookery_federation_deliveries_total']).toContainEqual({ labels: { result: 'later' }, value: 2 })
  expect(metrics['rookery_federation_activities_total']).toContainEqual({ labels: { result: 'worked' }, value: 1 })
  expect(metrics).toMatchObject({ rookery_federation_deliveries_waiting: 0, rookery_federation_delivery_lag_seconds: 0 })
})

it('lists activities that failed for the last time, and works them again', async () => {
  const [ann, bob] = [harness.stranger('failing.example', 'ann'), harness.stranger('other.example', 'bob')]
  const works = harness.vocabulary.onActivity
  harness.vocabulary.onActivity = () => Promise.reject(new Error('away'))
  for (const stranger of [ann, bob]) await harness.sends(stranger, stranger.like(7))
  for (let attempt = 0; attempt < 7; attempt++) await harness.later(DAY / 8)
  const failed = async (domain: string) => (await operator().listFailedActivities(harness.call(), { domain })).activities
  expect(await failed('')).toMatchObject([{ id: ann.like(7).id, actorUri: ann.uri, error: 'Error: away' }, { actorUri: bob.uri }])
  expect(await failed('other.example')).toMatchObject([{ actorUri: bob.uri }])
  harness.vocabulary.onActivity = works
  const before = harness.worked.length
  expect((await operator().replayActivities(harness.call(), { domain: 'failing.example' })).count).toBe(1)
  await harness.due()
  expect(harness.worked.slice(before).map(({ activity }) => activity['id'])).toEqual([ann.like(7).id])
  expect(await failed('')).toMatchObject([{ actorUri: bob.uri }])
  expect((await operator().replayActivities(harness.call(), { domain: '' })).count).toBe(1)
  await harness.due()
  expect(await failed('')).toEqual([])
})

const metric = (name: string) =>
  harness
    .wire()
    .module.metrics.find((each) => each.name === `rookery_federation_${name}`)!
    .count()

it('tells deliveries that are late from those that wait for a host that fails', async () => {
  const host = harness.servers.host('away.example')
  harness.servers.on(`POST ${host}`, (_request, response) => response.writeHead(503).end())
  await delivers('away.example', 1)
  await harness.due()
  const failing = await metric('hosts_failing')
  harness.clock.time += 600_000
  expect([await metric('delivery_lag_seconds'), await metric('due_delivery_lag_seconds')]).toEqual([600, 0])
  await delivers('late.example', 1)
  harness.clock.time += 60_000
  expect([await metric('deliveries_waiting'), await metric('due_delivery_lag_seconds')]).toEqual([2, 60])
  harness.servers.off(`POST ${host}`)
  await harness.due()
  expect([await metric('deliveries_waiting'), await metric('hosts_failing')]).toEqual([0, Number(failing) - 1])
})

it('tells activities that are late from those that fail', async () => {
  const ann = harness.stranger('slow.example', 'ann')
  const joe = harness.stranger('fails.example', 'joe')
  const { onActivity } = harness.vocabulary
  harness.vocabulary.onActivity = () => Promise.reject(new Error('not yet'))
  await harness.sends(joe, joe.like(1))
  await harness.due()
  harness.vocabulary.onActivity = onActivity
  await harness.sends(ann, ann.like(1))
  await harness.sends(joe, joe.like(2))
  harness.clock.time += 10_000
  expect([await metric('activities_waiting'), await metric('activity_lag_seconds')]).toEqual([3, 10])
  await harness.later(60_000)
  expect([await metric('activities_waiting'), await metric('activity_lag_seconds')]).toEqual([0, 0])
})
