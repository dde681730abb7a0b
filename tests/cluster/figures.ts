import { appendFileSync } from 'node:fs'
import { get, kubectl } from './programs.ts'
import { settings } from './settings.ts'

/** Records a measurement as a row of a table, in the file that CLUSTER_FIGURES names and on the console. */
export const putDown = (what: string, ...cells: (string | number)[]): void => {
  const row = `| ${[what, ...cells].join(' | ')} |`
  console.log(row)
  if (settings.figures) appendFileSync(settings.figures, `${row}\n`)
}

/** Does something and records how long it took. */
export const timed = async <T>(what: string, act: () => Promise<T>): Promise<T> => {
  const begun = performance.now()
  const done = await act()
  putDown(what, `${((performance.now() - begun) / 1000).toFixed(0)} s`)
  return done
}

type Summary = { pods?: { podRef: { name: string; namespace: string }; memory?: { workingSetBytes?: number } }[] }

/** Records what the pods of a namespace hold in memory, as the kubelets report: the maximum of each workload. */
export const putDownMemory = async (namespace: string, when: string): Promise<void> => {
  const { items } = await get('nodes')
  const max = new Map<string, number>()
  for (const { metadata } of items) {
    const summary = JSON.parse(await kubectl('get', '--raw', `/api/v1/nodes/${metadata.name}/proxy/stats/summary`)) as Summary
    for (const { podRef, memory } of summary.pods ?? []) {
      if (podRef.namespace !== namespace) continue
      const workload = podRef.name.replace(/(-[0-9a-f]{5,10}-[0-9a-z]{5}|-\d+)$/, '')
      max.set(workload, Math.max(max.get(workload) ?? 0, Math.round((memory?.workingSetBytes ?? 0) / 2 ** 20)))
    }
  }
  for (const [workload, mebibytes] of [...max].toSorted()) putDown(`memory of ${workload} ${when}`, `${mebibytes} MiB`)
}
