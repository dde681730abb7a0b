import { join } from 'node:path'
import type { Person } from '@rookery/test-world'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { found, inHome, relationship } from '../../services/federation/tests/two-servers.ts'
import { timed } from './figures.ts'
import { fetchFile, signUp, upload } from './journey.ts'
import { abandonNamespace, complaints, makeNamespace, warnings } from './namespaces.ts'
import { helm, type Json, kubectl } from './programs.ts'
import { type Reach, reach } from './reach.ts'
import { CHART, valuesFlags } from './settings.ts'

const VALUES = [join(CHART, 'values-dev.yaml'), join(import.meta.dirname, 'federating-values.yaml')]
const TIMEOUT = ['--timeout', '8m']
/** What asks other servers for something. */
const OUTGOING = ['federation', 'federation-background', 'media']
const HOSTS = ['near.localhost', 'far.localhost'] as const

const namespaceOf = (host: string) => `rookery-test-${host.split('.')[0]}`

const install = async (host: string): Promise<Reach> => {
  const namespace = namespaceOf(host)
  await makeNamespace(namespace)
  const own = ['--set', `baseUrl=http://${host},networkPolicies.enabled=false`]
  const strings = ['--set-string', 'settings.FEDERATION_ALLOW_PRIVATE=true,settings.RATE_LIMITS=off']
  const words = ['install', 'rookery', CHART, '--namespace', namespace, ...valuesFlags(...VALUES), ...own, ...strings, '--wait', ...TIMEOUT]
  await helm(...words).catch(async (error: Error) => {
    throw new Error(`${error.message}\n${await complaints(namespace)}`)
  })
  return reach(namespace, VALUES, `${namespace}-front`)
}

const isDone = (host: string, workload: string) =>
  kubectl('rollout', 'status', '--namespace', namespaceOf(host), `deployment/rookery-${workload}`, ...TIMEOUT)

/** Gives every pod of a workload way to a new one. */
const restart = async (host: string, workload: string) => {
  await kubectl('rollout', 'restart', '--namespace', namespaceOf(host), `deployment/rookery-${workload}`)
  await isDone(host, workload)
}

const scale = (host: string, workload: string, replicas: number) =>
  kubectl('scale', '--namespace', namespaceOf(host), `deployment/rookery-${workload}`, `--replicas=${replicas}`)

/** Takes every pod of a workload away, until the last one has ended. */
const takeAway = async (host: string, workload: string) => {
  await scale(host, workload, 0)
  const pods = ['pod', '--selector', `app.kubernetes.io/instance=rookery,app.kubernetes.io/component=${workload}`]
  await kubectl('wait', '--namespace', namespaceOf(host), '--for=delete', ...pods, '--timeout', '3m')
}

/** The servers that a release could not deliver to last. */
const failingPeers = async (host: string): Promise<string[]> => {
  const inPod = ['exec', '--namespace', namespaceOf(host), 'deployment/rookery-federation', '--container', 'federation', '--']
  const said = await kubectl(...inPod, 'rookery', 'federation', 'peers', '--failing', '--json')
  return JSON.parse(said).map(({ domain }: Json) => domain)
}

/** Has the processes of a release that ask others find them by their names, which no DNS knows. */
const introduce = async (host: string, others: Readonly<Record<string, string>>) => {
  const hostAliases = Object.entries(others).map(([name, ip]) => ({ ip, hostnames: [name] }))
  const patch = JSON.stringify({ spec: { template: { spec: { hostAliases } } } })
  for (const workload of OUTGOING) {
    await kubectl('patch', '--namespace', namespaceOf(host), `deployment/rookery-${workload}`, '--patch', patch)
    await isDone(host, workload)
  }
}

describe('two releases', () => {
  const [near, far] = HOSTS
  const routers = new Map<string, Reach>()
  let ann: Person
  let ben: Person
  let annSeen: Json
  let benSeen: Json

  beforeAll(async () => {
    for (const host of HOSTS) routers.set(host, await timed(`install ${host}, until all is ready`, () => install(host)))
    const addresses = Object.fromEntries([...routers].map(([host, { address }]) => [host, address]))
    for (const host of HOSTS) await introduce(host, addresses)
    ann = await signUp(routers.get(near)!, 'ann')
    ben = await signUp(routers.get(far)!, 'ben')
  }, 1_500_000)
  beforeEach(({ onTestFailed }) => {
    onTestFailed(async () => {
      for (const host of HOSTS) console.log(host, await warnings(namespaceOf(host)))
    })
  })
  afterAll(async () => {
    for (const router of routers.values()) await router.close()
    for (const host of HOSTS) await abandonNamespace(namespaceOf(host))
  })

  const notices = async (person: Person) =>
    (await person.notifications()).map(({ type, account }: Json) => `${type} ${account.acct}`).toSorted()
  /** The posts of ann in ben's home that begin with a word, the first one first. */
  const arrived = async (word: string): Promise<string[]> =>
    (await ben.home('?limit=40'))
      .map(({ content }: Json) => content.replaceAll(/<[^>]*>/g, ''))
      .filter((text: string) => text.startsWith(word))
      .toReversed()
  const posts = async (word: string, count: number) => {
    const texts = Array.from({ length: count }, (_, index) => `${word} ${index}`)
    for (const text of texts) await ann.says(text)
    return texts
  }

  test('people look each other up by handle, follow each other, and are told', async () => {
    annSeen = await found(ben, `@${ann.username}@${near}`)
    benSeen = await found(ann, `@${ben.username}@${far}`)
    await ben.post(`/api/v1/accounts/${annSeen.id}/follow`)
    await ann.post(`/api/v1/accounts/${benSeen.id}/follow`)
    await expect.poll(() => relationship(ben, annSeen)).toMatchObject({ following: true, followed_by: true })
    await expect.poll(() => relationship(ann, benSeen)).toMatchObject({ following: true, followed_by: true })
    expect(await notices(ann)).toEqual([`follow ${ben.username}@${far}`])
    expect(await notices(ben)).toEqual([`follow ${ann.username}@${near}`])
  })

  test('a post with a picture, a reply, a favourite, a boost, an edit and a deletion arrive', async () => {
    const picture = await upload(ann, 'a nest')
    const said = await ann.says('look at this', { media_ids: [picture.id] })
    const stream = await ann.listens('user')
    await expect.poll(() => inHome(ben, said.uri)).toBeDefined()
    const copy = await inHome(ben, said.uri)
    expect(copy).toMatchObject({ account: { acct: `${ann.username}@${near}` }, media_attachments: [{ description: 'a nest' }] })
    await expect.poll(() => fetchFile(routers.get(far)!, copy.media_attachments[0].url).then(({ status }) => status)).toBe(200)

    const reply = await ben.says(`@${ann.username}@${near} a robin`, { in_reply_to_id: copy.id })
    await ben.reacts('favourite', copy)
    await ben.reacts('reblog', copy)
    await stream.hears(({ event, payload }) => event === 'notification' && JSON.parse(payload ?? '{}').status?.uri === reply.uri)
    const counts = async () => (await ann.get(`/api/v1/statuses/${said.id}`)).body
    await expect.poll(counts).toMatchObject({ replies_count: 1, favourites_count: 1, reblogs_count: 1 })
    expect(await notices(ann)).toEqual(['favourite', 'follow', 'mention', 'reblog'].map((type) => `${type} ${ben.username}@${far}`))

    await ann.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: 'look at that', media_ids: [picture.id] } })
    await expect.poll(async () => (await inHome(ben, said.uri))?.content).toContain('look at that')
    await ann.asks('DELETE', `/api/v1/statuses/${said.id}`)
    await expect.poll(() => inHome(ben, said.uri)).toBeUndefined()
    await stream.close()
  })

  test('what is posted while processes that deliver and receive give way to others arrives once, in its order', async () => {
    const restarting = Promise.all([
      restart(near, 'federation-background'),
      restart(far, 'federation').then(() => restart(far, 'statuses')),
    ])
    const texts = await posts('rolling', 30)
    await restarting
    await timed('30 posts, from the last restart until they have arrived', () =>
      expect.poll(() => arrived('rolling'), { timeout: 240_000 }).toEqual(texts),
    )
  })

  test('what is posted while the other server receives nothing arrives once it is back, once and in its order', async () => {
    await takeAway(far, 'federation')
    const texts = await posts('away', 10)
    await expect.poll(() => failingPeers(near)).toEqual([far])
    expect(await arrived('away')).toEqual([])
    await scale(far, 'federation', 1)
    await isDone(far, 'federation')
    await timed('10 posts, from the return of the other server until they have arrived', () =>
      expect.poll(() => arrived('away'), { timeout: 420_000 }).toEqual(texts),
    )
  })
})
