import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts, PROGRAM_ENVIRONMENT } from '@rookery/test-stores'
import { World } from '@rookery/test-world'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// Real processes start here.
vi.setConfig({ testTimeout: 120_000 })

const SERVICES = join(import.meta.dirname, '../services')
const BIRDS = 'https://birds.example'
const CROWS = 'https://crows.example'
const REFUSAL = `BASE_URL is ${CROWS}, but these data belong to ${BIRDS}: one person has handles and ids there`

let world: World
let folder: string
let port: number
beforeAll(async () => {
  world = await World.open({ settings: { BASE_URL: BIRDS } })
  folder = mkdtempSync(join(tmpdir(), 'another-address-'))
  port = await freePorts(1)
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true })
})

/** Runs a program of a service until it ends; one that begins to serve is ended. */
const run = (program: string, settings: Record<string, string>) => {
  const env = { ...PROGRAM_ENVIRONMENT, DATA_DIR: folder, REGISTRATIONS: 'open', CONFIRMATION: 'automatic', ...settings }
  return new Promise<{ code: unknown; said: string }>((resolve) => {
    let said = ''
    const child = execFile(process.execPath, [join(SERVICES, program)], { env }, (error) => resolve({ code: error?.code ?? 0, said }))
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text) => {
        said += text
        if (said.includes('Rookery listens on')) child.kill('SIGTERM')
      })
  })
}

/** The one process on the world's database. */
const start = (settings: Record<string, string>) =>
  run('all-in-one/src/main.ts', { DATABASE_URL: world.databaseUrl, PORT: String(port), ...settings })

/** What brings the schema of statuses up to date before an upgrade. */
const migrate = (settings: Record<string, string>) => {
  const url = new URL(world.databaseUrl)
  url.username = 'statuses'
  return run('statuses/src/migrate.ts', { STATUSES_DATABASE_URL: url.href, MEDIA_ADDRESS: '127.0.0.1:1', ...settings })
}

const recorded = () => world.query('select base_url from statuses.server_address')

test('a start at another address is refused where there are people, unless it names the one before', async () => {
  await world.person('mara')
  const refused = await start({ BASE_URL: CROWS })
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining(REFUSAL) })
  expect(refused.said).not.toMatch(/ {4}at |"stack"/)
  // An upgrade of services apart ends here, before a process is replaced.
  expect(await migrate({ BASE_URL: CROWS })).toMatchObject({ code: 1, said: expect.stringContaining(REFUSAL) })

  const meant = { BASE_URL: CROWS, PREVIOUS_BASE_URL: BIRDS }
  expect(await migrate(meant)).toMatchObject({ code: 0 })
  // Only a process that stays records the address: those that run meanwhile may start again.
  expect(await recorded()).toEqual([{ base_url: BIRDS }])
  expect(await start(meant)).toMatchObject({ code: 0, said: expect.stringContaining('the address of the server changes') })
  expect(await recorded()).toEqual([{ base_url: CROWS }])
  expect(await start({ ...meant, BASE_URL: BIRDS })).toMatchObject({ code: 1, said: expect.stringContaining(`belong to ${CROWS}`) })
})
