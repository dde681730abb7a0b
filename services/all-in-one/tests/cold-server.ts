import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@rookery/runtime'
import type { World } from '@rookery/test-world'
import { compose, modulesConfig } from '../src/index.ts'

/** A server beside a world's: where it answers, and the statements it has run since it was last asked. */
export type ColdServer = { origin: string; statements(): string[] }

/** Work with a server over the same database that has read nothing yet, and does nothing in the background. */
export const coldly = async <Result>(world: World, work: (server: ColdServer) => Promise<Result>): Promise<Result> => {
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
      BASE_URL: world.origin,
      DATA_DIR: dataDir,
      RATE_LIMITS: 'off',
      REGISTRATIONS: 'open',
      CONFIRMATION: 'automatic',
    }),
    clock: world.clock,
    log: createLogger({ name: 'cold', level: 'fatal' }),
    isWired: true,
    isWorking: false,
    observeStatement: (text) => {
      if (!/^(begin|commit|rollback|start transaction)/i.test(text)) ran.push(text)
    },
  })
  const server = createServer(rookery.answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await work({
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      statements: () => ran.splice(0),
    })
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await rookery.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}
