import { existsSync } from 'node:fs'
import { join } from 'node:path'

export const CHART = join(import.meta.dirname, '../../helm/rookery')

const { CLUSTER_VALUES, CLUSTER_NEXT_TAG, CLUSTER_KILL, CLUSTER_POLICIES, CLUSTER_FIGURES, CLUSTER_UPGRADES = '1' } = process.env

/** The tests' settings for the cluster that KUBECONFIG names; docs/operations/cluster-tests.md says what each is. */
export const settings = {
  values: CLUSTER_VALUES,
  nextTag: CLUSTER_NEXT_TAG,
  kill: CLUSTER_KILL,
  policies: CLUSTER_POLICIES,
  figures: CLUSTER_FIGURES,
  upgrades: Number(CLUSTER_UPGRADES),
} as const

if (settings.values && !existsSync(settings.values)) throw new Error(`CLUSTER_VALUES names ${settings.values}, which is not there`)

/** Flags of helm for some files of values, with what the cluster needs on top. */
export const valuesFlags = (...files: string[]): string[] =>
  [...files, ...(settings.values ? [settings.values] : [])].flatMap((file) => ['--values', file])
