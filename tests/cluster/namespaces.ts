import { apply, get, type Json, kubectl, run } from './programs.ts'

/** Makes a namespace again, in which Kubernetes itself refuses pods that do not keep to the restricted profile. */
export const makeNamespace = async (name: string): Promise<void> => {
  await removeNamespace(name)
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted', 'pod-security.kubernetes.io/enforce-version': 'latest' }
  await apply(name, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } })
}

/** Removes a namespace with all that is in it. */
export const removeNamespace = (name: string): Promise<string> =>
  kubectl('delete', 'namespace', name, '--ignore-not-found', '--timeout', '3m')

/** Has a namespace removed, which takes as long as its pods take to stop. */
export const abandonNamespace = (name: string): Promise<string> =>
  kubectl('delete', 'namespace', name, '--ignore-not-found', '--wait=false')

/** A pod of a release: the workload it is of, its container, whether it is ready, and whether it is terminating. */
export type Pod = { name: string; component: string; container: string; isReady: boolean; isGoing: boolean }

const podOf = ({ metadata, spec, status }: Json): Pod => ({
  name: metadata.name,
  component: metadata.labels['app.kubernetes.io/component'],
  container: spec.containers[0].name,
  isReady: status.conditions?.some(({ type, status: is }: Json) => type === 'Ready' && is === 'True') ?? false,
  isGoing: metadata.deletionTimestamp !== undefined,
})

/** The pods of a namespace's releases, without those that have done their work. */
export const podsOf = async (namespace: string): Promise<Pod[]> => {
  const { items } = await get('pods', '--namespace', namespace, '--selector', 'app.kubernetes.io/name=rookery')
  return items.filter(({ status }: Json) => status.phase !== 'Succeeded' && status.phase !== 'Failed').map(podOf)
}

/** What a namespace's pods have to say when something did not come about: their states, and the last lines of those that are not well. */
export const complaints = async (namespace: string): Promise<string> => {
  const { items } = await get('pods', '--namespace', namespace)
  const isWell = ({ status }: Json) =>
    status.phase === 'Succeeded' || (status.phase === 'Running' && status.containerStatuses?.every(({ ready }: Json) => ready))
  const said = items
    .filter((pod: Json) => !isWell(pod))
    .map(async ({ metadata, status }: Json) => {
      const lines = kubectl('logs', '--namespace', namespace, metadata.name, '--all-containers', '--prefix', '--tail', '5')
      return `${metadata.name}: ${JSON.stringify(status.conditions)}\n${await lines.catch((error) => error.message)}`
    })
  return (await Promise.all(said)).join('\n')
}

/** What the processes of a release warned of last. */
export const warnings = async (namespace: string): Promise<string> => {
  const flags = ['--selector', 'app.kubernetes.io/instance=rookery', '--prefix', '--tail', '100', '--max-log-requests', '60']
  const lines = await kubectl('logs', '--namespace', namespace, ...flags).catch((error: Error) => error.message)
  return lines
    .split('\n')
    .filter((line) => /"level":[456]0/.test(line))
    .map((line) => line.slice(0, 600))
    .join('\n')
}

/** Evicts a pod, as draining a node does. @throws Error when its disruption budget forbids it */
export const evict = (namespace: string, name: string): Promise<string> => {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } }
  return run(
    'kubectl',
    ['create', '--raw', `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, '--filename', '-'],
    JSON.stringify(eviction),
  )
}
