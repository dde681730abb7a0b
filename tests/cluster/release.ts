import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { complaints, makeNamespace } from './namespaces.ts'
import { apply, get, helm, type Json, kubectl } from './programs.ts'
import { CHART, valuesFlags } from './settings.ts'

export const NAMESPACE = 'rookery-test-live'
export const VALUES = [join(import.meta.dirname, 'living-values.yaml'), join(import.meta.dirname, 'front-values.yaml')]
const IN = ['--namespace', NAMESPACE]
const TIMEOUT = ['--timeout', '5m']

const secretOf = (name: string, stringData: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  stringData,
})

/** Stores that are no part of the release: the chart's small ones, made by themselves. */
export const makeStores = async (): Promise<void> => {
  await makeNamespace(NAMESPACE)
  const password = randomBytes(20).toString('hex')
  const url = `postgres://postgres:${password}@stores-rookery-postgres:5432/rookery`
  const only = ['--show-only', 'templates/dev-stores.yaml']
  // Their own machines, as it were: they are not to starve when every pod of the release starts again.
  const share = 'devStores.postgres.resources.requests.cpu=400m,devStores.kafka.resources.requests.cpu=200m'
  const set = ['--set', `networkPolicies.enabled=false,stores.postgres.passwordsSecret=stores-administrator,${share}`]
  const stores = await helm('template', 'stores', CHART, ...IN, ...valuesFlags(join(CHART, 'values-dev.yaml')), ...only, ...set)
  const secrets = [secretOf('stores-administrator', { administrator: password }), secretOf('rookery-postgres-administrator', { url })]
  await apply(NAMESPACE, ...secrets, stores)
  for (const store of ['postgres', 'redis', 'kafka'])
    await kubectl('rollout', 'status', ...IN, `statefulset/stores-rookery-${store}`, ...TIMEOUT)
}

/** Installs the release or upgrades it, until all is ready; with the tag of another version when one is given. */
export const install = async (tag?: string): Promise<void> => {
  const version = tag ? ['--set', `image.tag=${tag}`] : []
  const words = ['upgrade', '--install', 'rookery', CHART, ...IN, ...valuesFlags(...VALUES), ...version, '--wait', ...TIMEOUT]
  await helm(...words).catch(async (error: Error) => {
    throw new Error(`${error.message}\n${await complaints(NAMESPACE)}`)
  })
}

export const rollBack = (): Promise<string> => helm('rollback', 'rookery', ...IN, '--wait', ...TIMEOUT)
export const uninstall = (): Promise<string> => helm('uninstall', 'rookery', ...IN, '--wait', ...TIMEOUT)

/** The workloads of the release. */
export const workloads = async (): Promise<string[]> => {
  const { items } = await get('deployments', ...IN, '--selector', 'app.kubernetes.io/instance=rookery')
  return items.map(({ metadata }: Json) => metadata.name)
}

/** Gives every pod of a workload way to a new one, until all are ready. */
export const restart = async (workload: string): Promise<void> => {
  await kubectl('rollout', 'restart', ...IN, `deployment/${workload}`)
  await kubectl('rollout', 'status', ...IN, `deployment/${workload}`, ...TIMEOUT)
}

/** Resolves when every workload has all its pods. */
export const isWhole = async (): Promise<void> => {
  for (const workload of await workloads()) await kubectl('rollout', 'status', ...IN, `deployment/${workload}`, ...TIMEOUT)
}

/** What the secrets that the release made for itself hold. */
export const secrets = async (): Promise<Json[]> =>
  Promise.all(['rookery-database', 'rookery-calls'].map(async (name) => (await get('secret', name, ...IN)).data))
