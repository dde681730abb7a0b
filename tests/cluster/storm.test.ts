import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { putDown, putDownMemory, timed } from './figures.ts'
import { abandonNamespace, warnings } from './namespaces.ts'
import { get, type Json, run } from './programs.ts'
import { type Reach, reach } from './reach.ts'
import { install, makeStores, NAMESPACE, VALUES } from './release.ts'

const hasK6 = spawnSync('k6', ['version']).status === 0
const ROOT = join(import.meta.dirname, '../..')

/** Streams that are cut at the same moment, and minutes for which that happens six times. */
const USERS = 100
const MINUTES = 1

/** The lines of k6's summary that say how long something took, or how much of it succeeded. */
const figuresIn = (summary: string): [name: string, value: string][] =>
  [...summary.matchAll(/^ *(reconnect_time|reconnected|resume_time|resumed)\.*: *(.+)$/gm)].map(([, name, value]) => [name!, value!.trim()])

/** How often the containers of each pod were started again. */
const restarts = async (): Promise<[pod: string, times: number][]> => {
  const { items } = await get('pods', '--namespace', NAMESPACE, '--selector', 'app.kubernetes.io/instance=rookery')
  return items.map(({ metadata, status }: Json) => [
    metadata.name,
    status.containerStatuses.reduce((times: number, { restartCount }: Json) => times + restartCount, 0),
  ])
}

describe.skipIf(!hasK6)(`the streams of a release with two of each serving process${hasK6 ? '' : ' (k6 is not here)'}`, () => {
  let router: Reach
  beforeAll(async () => {
    await makeStores()
    await timed('install before the storm, until all is ready', () => install())
    router = await reach(NAMESPACE, VALUES)
  })
  beforeEach(({ onTestFailed }) => {
    onTestFailed(async () => console.log(await warnings(NAMESPACE)))
  })
  afterAll(async () => {
    await router?.close()
    await abandonNamespace(NAMESPACE)
  })

  test('are all cut at once, again and again: each is back and has what it missed, while homes are read, within the thresholds of the scene', async () => {
    const before = await restarts()
    const asked = ['--target', `http://${router.address}`, '--users', String(USERS), '--minutes', String(MINUTES)]
    const summary = await run(process.execPath, [join(ROOT, 'scripts/run.ts'), 'load', ...asked, '--only', 'reconnect-storm'])
    const figures = figuresIn(summary)
    expect(figures.map(([name]) => name).toSorted()).toEqual(['reconnect_time', 'reconnected', 'resume_time', 'resumed'])
    for (const [name, value] of figures) putDown(`storm of ${USERS} streams: ${name}`, value)
    await putDownMemory(NAMESPACE, 'after the storm')
    expect(await restarts()).toEqual(before)
  })
})
