import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@rookery/embedded-postgres'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the run's Postgres, with ROLE and DATABASE as placeholders. */
    postgresUrl: string
  }
}

const IN_MEMORY = '/dev/shm'
const ROOM = 2 * 1024 ** 3

/** A folder in memory if there is room: copying a database takes 10 ms there and up to 300 ms on a disk. */
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

/** Creates the folder of this process, and deletes those of killed runs, which would fill the memory. */
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

/** Runs once before all tests: starts one Postgres for the run, which is deleted with its data afterwards. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = makeFolder()
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), isForTests: true })
  project.provide('postgresUrl', postgres.url('ROLE', 'DATABASE'))
  return async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
