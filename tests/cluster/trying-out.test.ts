import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putDownMemory, timed } from './figures.ts'
import { journey } from './journey.ts'
import { abandonNamespace, makeNamespace, podsOf } from './namespaces.ts'
import { get, helm, kubectl, run } from './programs.ts'
import { FRONT, type Reach, reach } from './reach.ts'
import { CHART, settings, valuesFlags } from './settings.ts'

const NAMESPACE = 'rookery-test-dev'
const VALUES = join(CHART, 'values-dev.yaml')
const FROM_FRONT = join(import.meta.dirname, 'front-values.yaml')

/** Ways that files/services.yaml opens, and some that it does not: from a workload, to a Service, at a port. */
const OPEN = [
  ['gateway', 'statuses-calls', 7000],
  ['auth', 'statuses-calls', 7000],
  ['statuses-background', 'media-calls', 7000],
  ['statuses', 'postgres', 5432],
  ['streaming', 'redis', 6379],
  ['front', 'gateway', 80],
] as const
const CLOSED = [
  ['gateway', 'postgres', 5432],
  ['gateway', 'kafka', 9092],
  ['streaming', 'media-calls', 7000],
  ['media', 'statuses-calls', 7000],
  ['statuses', 'auth-calls', 7000],
  ['statuses', 'gateway', 80],
  ['front', 'statuses-calls', 7000],
  ['front', 'redis', 6379],
] as const

/** Whether a process in a pod of a workload can connect to a place. */
const connects = async (workload: string, service: string, port: number): Promise<boolean> => {
  const host = `rookery-${service}.${NAMESPACE}`
  const attempt = `const socket = require('node:net').connect(${port}, '${host}')
    socket.on('connect', () => process.exit(0)).on('error', () => process.exit(1)).setTimeout(3000, () => process.exit(1))`
  const place = workload === 'front' ? ['--namespace', FRONT, 'pod/front'] : ['--namespace', NAMESPACE, `deployment/rookery-${workload}`]
  return kubectl('exec', ...place, '--', 'node', '-e', attempt).then(
    () => true,
    () => false,
  )
}

describe('the chart as its README has it tried out', () => {
  let router: Reach
  beforeAll(async () => {
    await makeNamespace(NAMESPACE)
    const flags = ['--namespace', NAMESPACE, ...valuesFlags(VALUES, FROM_FRONT), '--wait', '--timeout', '5m']
    await timed('install with the dev profile, until all is ready', () => helm('install', 'rookery', CHART, ...flags))
    router = await reach(NAMESPACE, [VALUES])
  })
  afterAll(async () => {
    await router?.close()
    await abandonNamespace(NAMESPACE)
  })

  test('every pod is ready, where Kubernetes refuses everything that is not restricted', async () => {
    const pods = await podsOf(NAMESPACE)
    expect(pods.filter(({ isReady }) => !isReady)).toEqual([])
    const { items } = await get('deployments,statefulsets', '--namespace', NAMESPACE)
    expect(pods).toHaveLength(items.length)
    const loose = ['run', 'loose', '--namespace', NAMESPACE, '--image', 'loose:1', '--dry-run=server']
    await expect(kubectl(...loose)).rejects.toThrow('violates PodSecurity "restricted')
    await putDownMemory(NAMESPACE, 'after the start')
  })

  test('people sign up, let apps in, post, read, stream and are notified, by the routes of the chart', async () => {
    await timed('a journey of two people', () => journey(router))
  })

  test('helm test passes', async () => {
    await timed('helm test', () => helm('test', 'rookery', '--namespace', NAMESPACE, '--timeout', '3m'))
  })

  test('with its policies enforced everything works as before, and what is on no list is closed', async ({ skip }) => {
    if (!settings.policies) return skip('CLUSTER_POLICIES does not say how policies come into force')
    await run('sh', ['-c', settings.policies])
    await journey(router)
    for (const [from, to, port] of OPEN) expect([from, to, await connects(from, to, port)]).toEqual([from, to, true])
    for (const [from, to, port] of CLOSED) expect([from, to, await connects(from, to, port)]).toEqual([from, to, false])
  })
})
