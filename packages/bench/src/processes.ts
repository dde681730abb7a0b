import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

/** Processor time and memory of a group of processes. */
export type Usage = { seconds: number; megabytes: number }

const TICKS = 100

type Stat = { parent: number; ticks: number }

const statOf = (pid: number): Stat | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    // Its own, and that of its ended children: Postgres has a process per connection.
    return { parent: Number(fields[1]), ticks: [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0) }
  } catch {
    return undefined
  }
}

/** Proportional set size: shared memory is divided among the processes that share it. */
const memoryOf = (pid: number): number => {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** A process and its descendants. */
export const treeOf = (root: number): number[] => {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
  const parents = new Map(pids.map((pid) => [pid, statOf(pid)?.parent]))
  const tree = new Set([root])
  for (let grew = true; grew; ) {
    grew = false
    for (const [pid, parent] of parents) {
      if (parent === undefined || tree.has(pid) || !tree.has(parent)) continue
      tree.add(pid)
      grew = true
    }
  }
  return [...tree]
}

/** The processor time used so far and the current memory of processes. */
export const usageOf = (pids: readonly number[]): Usage => ({
  seconds: pids.reduce((sum, pid) => sum + (statOf(pid)?.ticks ?? 0) / TICKS, 0),
  megabytes: Math.round(pids.reduce((sum, pid) => sum + memoryOf(pid), 0)),
})

const STORES = ['java', 'redis-server']

const programOf = (pid: number): string => {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`))
  } catch {
    return ''
  }
}

/**
 * For separate services: the product's own processes, and those beside them on this machine: the process that starts them and acts as
 * ingress, Redis and Kafka.
 */
export const partsOf = (root: number): { services: number[]; beside: number[] } => {
  const all = treeOf(root)
  const beside = all.filter((pid) => pid === root || STORES.includes(programOf(pid)))
  return { services: all.filter((pid) => !beside.includes(pid)), beside }
}
