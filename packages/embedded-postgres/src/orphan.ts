import { existsSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isRunning } from '@rookery/handles'

const firstLines = (file: string): string[] => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])

/** The working directory of a process, where the machine has /proc. Postgres works in its cluster. */
const folderOf = (pid: number): string | undefined => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

/** The pid of the Postgres that runs on a cluster, or undefined. The pid file of a machine that crashed may name an unrelated process. */
const runningOn = (cluster: string): number | undefined => {
  const pid = Number(firstLines(join(cluster, 'postmaster.pid'))[0])
  if (!pid || !isRunning(pid)) return undefined
  return (folderOf(pid) ?? cluster) === cluster ? pid : undefined
}

const launcherFile = (cluster: string) => join(cluster, 'launcher.pid')

/** Records that this process runs the cluster's Postgres. */
export const recordLauncher = (cluster: string): void => writeFileSync(launcherFile(cluster), `${process.pid}\n`)

/**
 * Cleanly stops the Postgres that a killed process left behind. @throws Error when that process is still alive, since two would fight over
 * the same data; or when Postgres does not stop within ten seconds
 */
export const stopOrphan = async (cluster: string): Promise<void> => {
  const pid = runningOn(cluster)
  if (pid === undefined) return
  const launcher = Number(firstLines(launcherFile(cluster))[0])
  if (launcher && isRunning(launcher)) throw new Error(`Another process (${launcher}) runs on ${cluster}: stop it first.`)
  process.kill(pid, 'SIGINT')
  for (const end = Date.now() + 10_000; isRunning(pid); await pause(20)) {
    if (Date.now() > end) throw new Error(`The Postgres of an earlier run (${pid}) does not stop: end it first.`)
  }
}
