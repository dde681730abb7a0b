import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '@rookery/embedded-postgres'
import pg from 'pg'
import type { Options } from './config.ts'
import { partsOf, treeOf, type Usage, usageOf } from './processes.ts'
import { seed } from './seed.ts'
import { type Measured, startServer } from './server.ts'
import { SIZES, type Sizes } from './sizes.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A filled server and its Postgres, ready to be measured. */
export type Harness = {
  readonly server: Measured
  readonly origin: string
  /** A client of the database, for state that no request shows. */
  readonly client: pg.Client
  readonly sizes: Sizes
  /** Resources used by the server and by Postgres; with separate services, also by the other processes on this machine. */
  usage(): { server: Usage; database: Usage; beside?: Usage }
  close(): Promise<void>
}

/** Starts the bare server for comparison. */
export const startBare = (options: Options): Promise<Measured> => {
  const port = String(options.port + 1)
  return startServer([process.execPath, join(root, 'scripts/bare-server.ts'), port], `http://127.0.0.1:${port}`, { PATH: options.path })
}

/** Starts the server on a fresh database, with these arguments for Postgres, fills it, and restarts it. */
export const openHarness = async (options: Options, flags: readonly string[] = []): Promise<Harness> => {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-bench-'))
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), flags })
  const administratorUrl = postgres.url('postgres', 'postgres')
  const origin = `http://127.0.0.1:${options.port}`
  const environment = {
    PATH: options.path,
    PORT: String(options.port),
    HOST: '127.0.0.1',
    BASE_URL: origin,
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: administratorUrl,
    RATE_LIMITS: 'off',
    // The other servers of a measurement are on loopback.
    FEDERATION_ALLOW_PRIVATE: 'true',
  }
  const program = options.isApart ? [join(root, 'scripts/run.ts'), 'services'] : [join(root, 'services/all-in-one/src/main.ts')]
  const command = [process.execPath, ...program]
  const first = await startServer(command, origin, environment)
  await first.stop()
  const sizes = SIZES[options.size]
  await seed(administratorUrl, sizes)
  const server = await startServer(command, origin, environment)
  await pause(2000)
  const client = new pg.Client({ connectionString: administratorUrl })
  await client.connect()
  const usageOfServer = () => {
    if (!options.isApart) return { server: usageOf(treeOf(server.pid)) }
    const { services, beside } = partsOf(server.pid)
    return { server: usageOf(services), beside: usageOf(beside) }
  }
  return {
    server,
    origin,
    client,
    sizes,
    usage: () => ({ ...usageOfServer(), database: usageOf(treeOf(postgres.pid)) }),
    async close() {
      await client.end()
      await server.stop()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
