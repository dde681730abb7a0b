import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllDocuments, stringify } from 'yaml'
import { run } from './tools.ts'

export const CHART = join(import.meta.dirname, '../../helm/rookery')

/** The sets of values that everything is held against: the least, one for a small cluster, three real ones, and the one for trying out. */
export const SETS = {
  least: join(CHART, 'ci/least-values.yaml'),
  small: join(CHART, 'ci/small-values.yaml'),
  ingress: join(CHART, 'ci/ingress-values.yaml'),
  large: join(CHART, 'ci/large-values.yaml'),
  operators: join(CHART, 'ci/operators-values.yaml'),
  dev: join(CHART, 'values-dev.yaml'),
} as const
export type SetName = keyof typeof SETS

// biome-ignore lint/suspicious/noExplicitAny: any Kubernetes object
export type Json = any
export type Manifest = {
  kind: string
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> }
} & Json

/** Kinds of other operators that the sets of values need, as a cluster that has them would say. */
export const API_VERSIONS = ['keda.sh/v1alpha1', 'postgresql.cnpg.io/v1', 'kafka.strimzi.io/v1']

/** Renders the chart for a set of values, with others on top, as for a cluster with kinds of other operators. */
export const template = (set: SetName, values: object = {}, apiVersions: readonly string[] = API_VERSIONS) => {
  const folder = mkdtempSync(join(tmpdir(), 'chart-'))
  try {
    const file = join(folder, 'values.yaml')
    writeFileSync(file, stringify(values))
    const versions = apiVersions.flatMap((version) => ['--api-versions', version])
    return run('helm', ['template', 'rookery', CHART, '--namespace', 'rookery', ...versions, '-f', SETS[set], '-f', file])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const rendered = new Map<SetName, Manifest[]>()

/** The manifests of a rendered text. */
export const manifestsOf = (text: string): Manifest[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null)

/** What a set of values becomes. @throws Error with what Helm says */
export const render = (set: SetName, values?: object): Manifest[] => {
  const known = values ? undefined : rendered.get(set)
  if (known) return known
  const { isWell, output, complaint } = template(set, values)
  if (!isWell) throw new Error(complaint)
  const manifests = manifestsOf(output)
  if (!values) rendered.set(set, manifests)
  return manifests
}

/** The manifests of a kind. */
export const ofKind = (manifests: readonly Manifest[], kind: string): Manifest[] => manifests.filter((manifest) => manifest.kind === kind)

/** One manifest. @throws Error when it is not there */
export const one = (manifests: readonly Manifest[], kind: string, name: string): Manifest => {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name)
  if (!found) throw new Error(`there is no ${kind} ${name}`)
  return found
}

/** Every pod that manifests lead to: whose it is, its labels and its specification. */
export const podsOf = (manifests: readonly Manifest[]): { owner: string; labels: Record<string, string>; spec: Json }[] =>
  manifests.flatMap((manifest) => {
    const pod = manifest.kind === 'Pod' ? manifest : manifest['spec']?.template
    if (!pod?.spec?.containers) return []
    return [{ owner: `${manifest.kind}/${manifest.metadata.name}`, labels: pod.metadata.labels, spec: pod.spec }]
  })

/** All containers of a pod, those that run before the others included. */
export const containersOf = (spec: Json): Json[] => [...(spec.initContainers ?? []), ...spec.containers]
