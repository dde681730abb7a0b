import { mkdtempSync, rmSync } from 'node:fs'
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

/** Runs once before all tests: one Postgres for the whole run, gone with its data afterwards. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-test-'))
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), isForTests: true })
  project.provide('postgresUrl', postgres.url('ROLE', 'DATABASE'))
  return async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
