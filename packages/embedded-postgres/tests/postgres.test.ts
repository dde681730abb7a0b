import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { copyPrograms } from '../src/binaries.ts'
import { type EmbeddedPostgres, startPostgres } from '../src/index.ts'

let folder: string
let running: EmbeddedPostgres | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-postgres-'))
})
afterEach(async () => {
  await running?.stop()
  running = undefined
  rmSync(folder, { recursive: true, force: true })
})

const start = async (dataDir = join(folder, 'data'), onCrash?: (reason: string) => void) => {
  running = await startPostgres({ dataDir, isForTests: true, ...(onCrash && { onCrash }) })
  return running
}

const ask = async (server: EmbeddedPostgres, statement: string): Promise<unknown> => {
  const client = new pg.Client({ connectionString: server.url('postgres', 'postgres') })
  client.on('error', () => {})
  await client.connect()
  try {
    return Object.values((await client.query(statement)).rows[0] ?? {})[0]
  } finally {
    await client.end()
  }
}

describe('embedded Postgres', () => {
  test('keeps its data over a restart', async () => {
    await ask(await start(), 'create table kept (it text)')
    await running?.stop()
    expect(await ask(await start(), 'select count(*)::text from kept')).toBe('0')
  })

  test('is reachable by its socket alone, which only its account may reach', async () => {
    const server = await start()
    expect(await ask(server, 'show listen_addresses')).toBe('')
    expect(statSync(join(folder, 'data', 'socket')).mode & 0o077).toBe(0)
  })

  test('trades safety for speed only when asked', async () => {
    expect(await ask(await start(), 'show fsync')).toBe('off')
    await running?.stop()
    running = await startPostgres({ dataDir: join(folder, 'data') })
    expect(await ask(running, 'show fsync')).toBe('on')
    expect(await ask(running, 'show synchronous_commit')).toBe('on')
  })

  test('finds a short place for its socket when the path is long', async () => {
    const server = await start(join(folder, 'x'.repeat(100), 'data'))
    const socket = new URL(server.url('postgres', 'postgres')).searchParams.get('host') ?? ''
    expect(await ask(server, 'select 1::text')).toBe('1')
    await server.stop()
    rmSync(socket, { recursive: true })
  })

  test('comes back by itself with its data after a kill', async () => {
    let reported: (reason: string) => void = () => {}
    const crashed = new Promise<string>((resolve) => {
      reported = resolve
    })
    const server = await start(undefined, reported)
    await ask(server, 'create table kept (it text)')
    const before = server.pid
    process.kill(before, 'SIGKILL')
    expect(await crashed).toContain('SIGKILL')
    await expect.poll(() => ask(server, 'select count(*)::text from kept').catch(() => undefined)).toBe('0')
    expect(server.pid).not.toBe(before)
  })

  test('starts again where a killed process left off, and refuses a folder in use', async () => {
    const dataDir = join(folder, 'data')
    const module = new URL('../src/index.ts', import.meta.url).href
    const script = `const { startPostgres } = await import('${module}')
      const server = await startPostgres({ dataDir: '${dataDir}' }); console.log(server.pid); setInterval(() => {}, 1000)`
    const node = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(node.stdout, 'data')
    await expect(start()).rejects.toThrow('stop it first')
    const exited = once(node, 'exit')
    node.kill('SIGKILL')
    await exited
    expect(await ask(await start(), 'select 1::text')).toBe('1')
  })

  describe.skipIf(process.getuid?.() !== 0)('started by root', () => {
    test('keeps its data where only root may enter, and takes over from a killed process there', async () => {
      const shut = join(folder, 'shut')
      mkdirSync(shut, { mode: 0o700 })
      const server = await start(join(shut, 'data'))
      expect(await ask(server, 'show is_superuser')).toBe('on')
      expect(statSync(join(shut, 'data', 'data', 'PG_VERSION')).uid).not.toBe(0)
      const orphan = readFileSync(join(shut, 'data', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]
      expect(readlinkSync(`/proc/${orphan}/cwd`)).toBe(realpathSync(join(shut, 'data', 'data')))
      await expect(startPostgres({ dataDir: join(shut, 'data'), isForTests: true })).rejects.toThrow('stop it first')
      await server.stop()
      expect(await ask(await start(join(shut, 'data')), 'select 1::text')).toBe('1')
    })

    test('starts on a copy that root made, whose files are root’s', async () => {
      await ask(await start(), "create table kept as select 'it' it")
      await running?.stop()
      const copy = join(folder, 'copy')
      cpSync(join(folder, 'data'), copy, { recursive: true })
      expect(statSync(join(copy, 'data', 'PG_VERSION')).uid).toBe(0)
      expect(await ask(await start(copy), 'select it from kept')).toBe('it')
    })

    test('has no right that its account has not', async () => {
      const server = await start()
      await expect(ask(server, "select pg_read_file('/etc/shadow')")).rejects.toThrow('Permission denied')
    })

    test('copies its programs once to where its account can reach them', () => {
      const [native, shared] = [join(folder, 'native'), join(folder, 'shared')]
      mkdirSync(join(native, 'bin'), { recursive: true })
      writeFileSync(join(native, 'bin', 'postgres'), 'first', { mode: 0o755 })
      const copy = copyPrograms(native, shared, 'postgres-1')
      writeFileSync(join(native, 'bin', 'postgres'), 'second')
      expect(copyPrograms(native, shared, 'postgres-1')).toBe(copy)
      expect(readFileSync(join(copy, 'bin', 'postgres'), 'utf8')).toBe('first')
      expect(statSync(join(copy, 'bin', 'postgres')).mode & 0o005).toBe(0o005)
      expect(readdirSync(shared)).toEqual(['postgres-1'])
    })

    test('takes no programs from a folder that others may write to', () => {
      const shared = join(folder, 'shared')
      mkdirSync(shared)
      chmodSync(shared, 0o777)
      expect(() => copyPrograms(folder, shared, 'postgres-1')).toThrow('others may write there')
    })
  })

  test('makes its data folder again when the first start was killed half-way', async () => {
    const unfinished = join(folder, 'data', 'data.unfinished')
    mkdirSync(unfinished, { recursive: true })
    writeFileSync(join(unfinished, 'PG_VERSION'), '18')
    expect(await ask(await start(), 'select 1::text')).toBe('1')
  })
})
