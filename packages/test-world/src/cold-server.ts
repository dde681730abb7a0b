import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose, modulesConfig, SCHEMAS } from '@rookery/all-in-one'
import { createLogger, serveHttp } from '@rookery/runtime'
import { expect, vi } from 'vitest'
import type { World } from './index.ts'
import { query } from './queries.ts'

/** A second server beside a world's: its origin, and the statements since the last call. */
type ColdServer = { origin: string; statements(): string[] }

const RELAYS = `select count(*)::int held from pg_locks join pg_database d on d.oid = database
  where locktype = 'advisory' and classid = 4711 and granted and datname = current_database()`

/** Opens a second server over the same database, with empty caches and without background work. */
const openBeside = async (world: World, settings: Record<string, string> = {}): Promise<ColdServer & { close(): Promise<void> }> => {
  // A relay takes its lock within a second of its start: the world's must be first, or the second server would handle its events.
  await vi.waitFor(async () => expect(await query(world, RELAYS)).toEqual([{ held: SCHEMAS.length }]), { timeout: 15_000, interval: 20 })
  const dataDir = await mkdtemp(join(tmpdir(), 'rookery-cold-'))
  const ran: string[] = []
  const rookery = await compose({
    urlOf: (role) => {
      const url = new URL(world.databaseUrl)
      url.username = role
      return url.href
    },
    dataDir,
    config: modulesConfig({
      BASE_URL: world.address,
      DATA_DIR: dataDir,
      RATE_LIMITS: 'off',
      REGISTRATIONS: 'open',
      CONFIRMATION: 'automatic',
      TOKEN_MEMORY: 'off',
      ...settings,
    }),
    clock: world.clock,
    log: createLogger({ name: 'cold', level: 'fatal' }),
    isWired: true,
    isWorking: false,
    isOnlyWriter: false,
    observeStatement: (text) => {
      if (!/^(begin|commit|rollback|start transaction)/i.test(text)) ran.push(text)
    },
  })
  const server = await serveHttp(
    { http: rookery.answer, onError: (error) => console.error(error), deadlines: { stop: 0 } },
    { host: '127.0.0.1', port: 0 },
  )
  return {
    origin: `http://127.0.0.1:${server.port}`,
    statements: () => ran.splice(0),
    async close() {
      await server.close()
      await rookery.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Opens a second server over a world's database without caches and background work. */
export const openForgetful = (world: World) => openBeside(world, { GATEWAY_CACHE_MEGABYTES: '0', STATUSES_CACHE_MEGABYTES: '0' })

/** Runs work with a second server over the same database, with empty caches and without background work. */
export const withColdServer = async <Result>(world: World, work: (server: ColdServer) => Promise<Result>): Promise<Result> => {
  const server = await openBeside(world)
  try {
    return await work(server)
  } finally {
    await server.close()
  }
}
