import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { filmTests, hasFilms } from '../../services/media/tests/films.ts'
import { putDown, putDownMemory, timed } from './figures.ts'
import { expectFilmsPlayed, uploadFilms } from './films.ts'
import { type Load, startLoad } from './load.ts'
import { abandonNamespace, evict, podsOf, warnings } from './namespaces.ts'
import { personIn } from './people.ts'
import { get, type Json, kubectl, run } from './programs.ts'
import { type Reach, reach } from './reach.ts'
import { install, isWhole, makeStores, NAMESPACE, restart, rollBack, secrets, uninstall, VALUES, workloads } from './release.ts'
import { settings } from './settings.ts'

const IN = ['--namespace', NAMESPACE]
/** Workloads restarted side by side. */
const AT_ONCE = 4

/** Pods of the release itself, stores left out. */
const ownPods = async () => (await podsOf(NAMESPACE)).filter(({ name }) => name.startsWith('rookery-'))
/** Those of them that are to stay. */
const stayingPods = async () => (await ownPods()).filter(({ isGoing }) => !isGoing)

describe('a release with two of each serving process, on stores beside it', () => {
  let router: Reach
  let load: Load | undefined
  const loads: Load[] = []
  beforeAll(async () => {
    await timed('stores beside the release, until they are ready', makeStores)
    await timed('install with outside stores, until all is ready', () => install())
    router = await reach(NAMESPACE, VALUES)
  })
  beforeEach(({ onTestFailed }) => {
    onTestFailed(async () => console.log(await warnings(NAMESPACE)))
  })
  afterEach(() => load?.stop())
  afterAll(async () => {
    await router?.close()
    await abandonNamespace(NAMESPACE)
  })

  const begin = async (name: string) => {
    load = await startLoad(NAMESPACE, router, name)
    loads.push(load)
    return load
  }
  const end = async (ended: Load, what: string) => {
    await ended.goesOn(5)
    await ended.stop()
    putDown(what, `${ended.requests()} requests`, `${ended.failed.length} failed`, `${ended.ends.length} streams ended`)
    await ended.expectAllThere()
    return ended.undelivered()
  }
  /** Nothing failed, and no stream ended without a request to reconnect. */
  const expectUnnoticed = ({ failed, ends }: Load) =>
    expect({ failed, cut: ends.filter((each) => each === 'cut') }).toEqual({ failed: [], cut: [] })

  test('each workload is restarted in turn, and no one notices', async () => {
    const people = await begin('rolling')
    const all = await workloads()
    for (let first = 0; first < all.length; first += AT_ONCE) {
      const some = all.slice(first, first + AT_ONCE)
      await timed(`rolling restart of ${some.map((name) => name.replace('rookery-', '')).join(', ')}`, () => Promise.all(some.map(restart)))
      expect([some, people.failed]).toEqual([some, []])
    }
    // Both streams were on a pod that went, and those of the last pod are ended within its farewell.
    await expect.poll(() => people.ends.length, { timeout: 90_000 }).toBeGreaterThanOrEqual(2)
    expect(await end(people, 'rolling restart of every workload')).toEqual([])
    expectUnnoticed(people)
  })

  const rounds = Array.from({ length: settings.upgrades }, (_, index) => index + 1)
  test.for(rounds)('an upgrade with a migration, and the way back, are not noticed: round %i', async (round, { skip }) => {
    if (!settings.nextTag) return skip('CLUSTER_NEXT_TAG names no other version')
    const before = await secrets()
    const people = await begin(`upgrade${round}`)
    try {
      await timed('upgrade to another version with a migration', () => install(settings.nextTag))
      await people.goesOn(5)
      expectUnnoticed(people)
    } finally {
      await timed('rollback', rollBack)
    }
    expect(await end(people, 'upgrade and rollback')).toEqual([])
    expectUnnoticed(people)
    expect(await secrets()).toEqual(before)
  })

  /** One pod of each workload: the first or the last. */
  const oneOfEach = async (which: 0 | -1) =>
    Object.values(Object.groupBy(await stayingPods(), ({ component }) => component)).map((pods) => pods!.at(which)!)

  test('a node that is drained gives way as the budgets allow, and no one notices', async () => {
    const people = await begin('drain')
    const pairs = Object.values(Object.groupBy(await stayingPods(), ({ component }) => component)).map((pods) =>
      pods!.map(({ name }) => name),
    )
    const nodes = (await get('nodes')).items.map(({ metadata }: Json) => metadata.name)
    await timed('a node without room for others: one pod of each workload evicted, the others kept', async () => {
      await kubectl('cordon', ...nodes)
      try {
        for (const [first, second] of pairs) {
          await evict(NAMESPACE, first!)
          if (second) await expect(evict(NAMESPACE, second)).rejects.toThrow('disruption budget')
        }
        await people.goesOn(20)
      } finally {
        await kubectl('uncordon', ...nodes)
      }
    })
    await timed('room again: the others evicted as soon as their budget allows', async () => {
      const left = pairs.flatMap(([, second]) => second ?? [])
      const goes = (name: string) => evict(NAMESPACE, name).then(() => '', String)
      await Promise.all(left.map((name) => expect.poll(() => goes(name), { timeout: 180_000 }).toBe('')))
      await isWhole()
    })
    expect(await end(people, 'drain')).toEqual([])
    expectUnnoticed(people)
  })

  test.skipIf(!hasFilms)(filmTests('films are processed although their pod is killed in the middle, and no one else notices'), async () => {
    const people = await begin('films')
    const author = await personIn(NAMESPACE, router.origin, 'filming')
    await timed('four films, while the pod that processes them is killed', async () => {
      const [pod] = (await stayingPods()).filter(({ component }) => component === 'media-motion')
      const ids = await uploadFilms(author)
      await kubectl('delete', 'pod', pod!.name, ...IN, '--grace-period', '0', '--force')
      const states = await Promise.all(ids.map((id) => author.get(`/api/v1/media/${id}`).then(({ status }) => status)))
      expect(states).toContain(206)
      await expectFilmsPlayed(router, author, ids)
    })
    await isWhole()
    expect(await end(people, 'films, and a kill of what processes them')).toEqual([])
    expectUnnoticed(people)
  })

  test('what is killed loses nothing that was acknowledged, and doubles nothing', async ({ skip }) => {
    const people = await begin('killing')
    if (settings.kill) {
      const killed = await oneOfEach(0)
      const restarts = () =>
        Promise.all(killed.map(async ({ name }) => (await get('pod', name, ...IN)).status.containerStatuses[0].restartCount as number))
      const before = await restarts()
      for (const { name, container } of killed) {
        await run('sh', ['-c', `${settings.kill} ${NAMESPACE} ${name} ${container}`])
        await people.goesOn(1)
      }
      await expect.poll(restarts).toEqual(before.map((count) => count + 1))
      await isWhole()
    }
    for (const { name } of await oneOfEach(-1)) {
      await kubectl('delete', 'pod', name, ...IN, '--grace-period', '0', '--force')
      await people.goesOn(1)
    }
    await isWhole()
    expect(await end(people, 'kill of each pod')).toEqual([])
    // A request fails where its connection was cut, and nowhere else.
    expect(people.failed.filter(({ status }) => status !== 502 && status !== 503)).toEqual([])
    if (!settings.kill) skip('CLUSTER_KILL does not say how a process is killed: pods were only deleted by force')
  })

  test('what people have survives an uninstall, and so do its secrets', async () => {
    const before = await secrets()
    await timed('uninstall, until all pods are gone', uninstall)
    await expect.poll(ownPods, { timeout: 120_000 }).toEqual([])
    await timed('install again, until all is ready', () => install())
    expect(await secrets()).toEqual(before)
    for (const each of loads) await each.expectAllThere()
    await putDownMemory(NAMESPACE, 'at the end')
  })
})
