// Measures a server on this machine, beside a bare node:http server in the same run. Load goes to loopback only.
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '@rookery/embedded-postgres'
import pg from 'pg'
import { readOptions } from './config.ts'
import { drive, type Target } from './load.ts'
import { treeOf, usageOf } from './processes.ts'
import { SIZES, SPEAKER, STAR, seed, tokenOf } from './seed.ts'
import { type Measured, startServer } from './server.ts'
import { openReaders } from './streams.ts'

const options = readOptions()
const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'rookery-bench-'))
const rows: string[][] = []
const row = (...columns: string[]) => {
  rows.push(columns)
  console.log(columns.join(' | '))
}
const wants = (name: string) => !options.only || name.includes(options.only)
const ms = (value: number) => value.toFixed(1)
const viewers = Array.from({ length: SIZES.viewers }, (_, index) => tokenOf(index + 3))

const postgres = await startPostgres({ dataDir: join(folder, 'postgres') })
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
}
const command = options.isApart
  ? [process.execPath, join(root, 'scripts/run.mjs'), 'services']
  : [process.execPath, join(root, 'services/all-in-one/src/main.ts')]

const query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[]) => {
  const client = new pg.Client({ connectionString: administratorUrl })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

const post = (token: string, status: string) =>
  fetch(`${origin}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  }).then((response) => response.json() as Promise<{ id: string }>)

const measure = async (name: string, server: Measured, target: Target) => {
  if (!wants(name)) return
  await drive(server.origin, target, 2)
  const pids = treeOf(server.pid)
  const database = treeOf(postgres.pid)
  const before = [usageOf(pids), usageOf(database)] as const
  const load = await drive(server.origin, target, options.seconds)
  const after = [usageOf(pids), usageOf(database)] as const
  const microseconds = (index: 0 | 1) =>
    Math.round(((after[index].seconds - before[index].seconds) * 1e6) / Math.max(1, load.perSecond * options.seconds))
  row(
    name,
    `${load.perSecond}/s`,
    ms(load.p50),
    ms(load.p99),
    String(microseconds(0)),
    String(microseconds(1)),
    `${after[0].megabytes + after[1].megabytes} MB`,
    load.errors ? `${load.errors} errors` : '',
  )
}

const fanOut = async () => {
  if (!wants('fan-out')) return
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    const startedAt = performance.now()
    const { id } = await post(tokenOf(STAR), `to everybody ${round}`)
    for (;;) {
      const [found] = await query<{ count: string }>('select count(*) from statuses.feed where status_id = $1', [id])
      if (Number(found?.count) > SIZES.fans) break
      await pause(2)
    }
    times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)
  row(`fan-out to ${SIZES.fans} followers`, '', ms(times[2]!), ms(times.at(-1)!), '', '', '', '')
}

const streams = async (server: Measured, stream: string, numbers: number[], author: number) => {
  const name = `${numbers.length} readers of ${stream}`
  if (!wants(name)) return
  const pids = [...treeOf(server.pid)]
  const atRest = usageOf(pids).megabytes
  const readers = await openReaders(origin, stream, numbers)
  await pause(2000)
  const withReaders = usageOf(pids).megabytes
  const rounds = []
  for (let round = 0; round < 6; round++) rounds.push(await readers.hear(() => post(tokenOf(author), `hear ${round}`)))
  readers.close()
  const warm = rounds.slice(1)
  const kilobytes = Math.round(((withReaders - atRest) * 1024) / numbers.length)
  const missing = warm.reduce((sum, round) => sum + round.missing, 0)
  row(
    name,
    '',
    ms(Math.max(...warm.map(({ p50 }) => p50))),
    ms(Math.max(...warm.map(({ p99 }) => p99))),
    '',
    '',
    `${kilobytes} KB a socket`,
    missing ? `${missing} missing` : '',
  )
}

try {
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${options.isApart ? 'services apart' : 'one process'}\n`)
  row('what', 'throughput', 'p50 ms', 'p99 ms', 'server µs/request', 'Postgres µs/request', 'memory', '')
  row('---', '---', '---', '---', '---', '---', '---', '---')
  const bare = await startServer(
    [process.execPath, fileURLToPath(new URL('bare.ts', import.meta.url)), String(options.port + 1)],
    `http://127.0.0.1:${options.port + 1}`,
    { PATH: options.path },
  )
  await measure('bare node:http', bare, { path: '/' })
  await bare.stop()

  const first = await startServer(command, origin, environment)
  await first.stop()
  await seed(administratorUrl)
  const server = await startServer(command, origin, environment)
  await pause(2000)
  row(
    'at rest',
    '',
    '',
    '',
    '',
    '',
    `${usageOf(treeOf(server.pid)).megabytes} MB + Postgres ${usageOf(treeOf(postgres.pid)).megabytes} MB`,
    '',
  )
  await measure('verify_credentials', server, { path: '/api/v1/accounts/verify_credentials', tokens: viewers })
  await measure('public timeline of 20', server, { path: '/api/v1/timelines/public?limit=20', tokens: viewers })
  await measure('public timeline of 20, anonymous', server, { path: '/api/v1/timelines/public?limit=20' })
  await measure('home timeline of 20', server, { path: '/api/v1/timelines/home?limit=20', tokens: viewers })
  await measure('post a status', server, {
    path: '/api/v1/statuses',
    method: 'POST',
    tokens: viewers,
    body: '{"status":"Number TURN says hello"}',
  })
  await pause(3000)
  await fanOut()
  await streams(
    server,
    'user',
    Array.from({ length: SIZES.readers }, (_, index) => SIZES.people + 1 + index),
    SPEAKER,
  )
  await streams(
    server,
    'public',
    Array.from({ length: SIZES.readers }, (_, index) => SIZES.people + 1 + index),
    SPEAKER,
  )
  await server.stop()
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
