import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@rookery/embedded-postgres'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The url of the run's Postgres, with ROLE and DATABASE in place of theirs. */
    postgresUrl: string
  }
}

const IN_MEMORY = '/dev/shm'
const ROOM = 2 * 1024 ** 3

/** In memory where there is room for it: copying a database takes 10 ms there and can take 300 on a disk. */
const roomiest = () => {
  if (!existsSync(IN_MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(IN_MEMORY)
  return bavail * bsize > ROOM ? IN_MEMORY : tmpdir()
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A folder of this process's own. Those of runs that were killed are deleted: they would fill the memory. */
const makeFolder = () => {
  const parent = roomiest()
  const prefix = 'rookery-test-'
  for (const name of readdirSync(parent)) {
    if (name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length)))) rmSync(join(parent, name), { recursive: true, force: true })
  }
  const folder = join(parent, `${prefix}${process.pid}`)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Runs once before all tests: one Postgres for the whole run, gone with its data afterwards. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = makeFolder()
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), isForTests: true })
  project.provide('postgresUrl', postgres.url('ROLE', 'DATABASE'))
  return async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
