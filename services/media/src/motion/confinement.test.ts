import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { type Confined, type Confinement, commandOf, findConfinement, findProgram, gapsOf } from './confinement.ts'
import { runTool } from './run-tool.ts'

const MEGABYTE = 1024 * 1024
const limits = { cpuSeconds: 2, memoryBytes: 512 * MEGABYTE, fileBytes: MEGABYTE, niceness: 5 }
const confined: Confined = { tool: '/opt/ffmpeg', args: ['-i', 'file:a; rm -rf /'], folder: '/spool/1', input: 'received', limits }
const all = { setpriv: '/b/setpriv', nice: '/b/nice', prlimit: '/b/prlimit', bwrap: '/b/bwrap' }

describe('the command line of a confined program', () => {
  it('is the program alone where the system has nothing', () => {
    expect(commandOf({}, confined)).toEqual(['/opt/ffmpeg', '-i', 'file:a; rm -rf /'])
    expect(gapsOf({})).toHaveLength(5)
  })

  it('bounds it, and shows it programs, one folder and its input, which it cannot change', () => {
    const command = commandOf(all, confined)
    expect(command.slice(0, 4)).toEqual(['/b/setpriv', '--pdeathsig', 'KILL', '--'])
    expect(command).toEqual(expect.arrayContaining(['--cpu=2', `--as=${512 * MEGABYTE}`, `--fsize=${MEGABYTE}`, '--unshare-all']))
    const line = command.join(' ')
    expect(line).toContain('--bind /spool/1 /work --ro-bind /spool/1/received /work/received')
    expect(line).toContain('--ro-bind /opt/ffmpeg /opt/ffmpeg')
    expect(command.slice(-3)).toEqual(['/opt/ffmpeg', '-i', 'file:a; rm -rf /'])
    expect(gapsOf(all)).toEqual([])
  })

  it('takes the network away where there is only unshare', () => {
    expect(commandOf({ unshare: '/b/unshare' }, confined)).toEqual(expect.arrayContaining(['--net', '--kill-child']))
    expect(gapsOf({ setpriv: all.setpriv, nice: all.nice, prlimit: all.prlimit, unshare: '/b/unshare' })).toEqual([
      expect.stringContaining('files of this machine'),
    ])
  })
})

const path = process.env['PATH'] ?? ''
const shell = findProgram('sh', path)
const means = shell ? findConfinement(findProgram('true', path) ?? shell, { folder: tmpdir(), searchPath: path }) : {}
const isConfined = means.bwrap !== undefined && means.prlimit !== undefined

test('a program that is missing, or is none, is not found', () => {
  expect(findProgram('no-such-program', path)).toBeUndefined()
  expect(findProgram(tmpdir(), '')).toBeUndefined()
})

describe('a run', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-run-'))
    await writeFile(join(folder, 'received'), 'as it came')
  })
  afterAll(() => rm(folder, { recursive: true }))
  const run = (script: string, { deadline = 20_000, signal = new AbortController().signal, given = {} as Confinement } = {}) =>
    runTool(given, { tool: shell!, args: ['-c', script], folder, input: 'received', limits }, { deadline, signal })

  it('answers with what the program wrote and how it ended, and nothing of the environment', async () => {
    expect(await run('echo out; echo wrong >&2; exit 3')).toMatchObject({ code: 3, output: 'out\n', complaint: 'wrong\n' })
    expect((await run('env')).output).not.toMatch(/HOME|PATH=.*node_modules|USER/)
  })

  it.each([
    ['late', 'sleep 60 & sleep 60', { deadline: 300 }],
    ['talkative', 'yes', {}],
  ])('is killed with all it started when it is %s', async (killed, script, given) => {
    expect(await run(script, given)).toMatchObject({ killed, signal: 'SIGKILL' })
  })

  it('is killed when its caller has gone', async () => {
    const gone = new AbortController()
    const running = run('sleep 60', { signal: gone.signal })
    gone.abort()
    expect(await running).toMatchObject({ killed: 'abandoned' })
  })

  it('fails for a program that cannot be started', async () => {
    const missing = { tool: '/no/such/program', args: [], folder, limits }
    await expect(runTool({}, missing, { deadline: 1000, signal: new AbortController().signal })).rejects.toThrow('ENOENT')
  })
})

describe.skipIf(!isConfined)(isConfined ? 'a confined run' : 'a confined run: left out, there is no bubblewrap that may be used', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-run-'))
    await writeFile(join(folder, 'received'), 'as it came')
  })
  afterAll(() => rm(folder, { recursive: true }))
  const run = (script: string) =>
    runTool(
      means,
      { tool: shell!, args: ['-c', script], folder, input: 'received', limits },
      { deadline: 30_000, signal: new AbortController().signal },
    )

  it('reads its folder and no other file, and changes nothing but what it makes', async () => {
    const { output } = await run(
      `cat received; cat ${process.execPath} /etc/passwd /root/.bashrc ${import.meta.filename} 2>/dev/null | head -c 10; echo made > made; echo x > received 2>/dev/null || echo kept`,
    )
    expect(output).toBe('as it camekept\n')
  })

  it('reaches nothing on the network, this machine included', async () => {
    let asked = 0
    const server = createServer((socket) => {
      asked++
      socket.on('error', () => {}).destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    await run(`/usr/bin/bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}' || true`)
    await new Promise((resolve) => server.close(resolve))
    expect(asked).toBe(0)
  })

  it('writes no file beyond its limit, takes no memory beyond it, and no more processor time', async () => {
    expect((await run('head -c 5000000 /dev/zero > made; echo $?')).output).not.toBe('0\n')
    expect((await run('head -c 900000000 /dev/zero | tail -c 899999999 | wc -c')).output).not.toContain('899999999')
    const ended = await run('while :; do :; done')
    expect([ended.code, ended.signal]).not.toEqual([0, null])
    expect(ended.killed).toBeUndefined()
  })

  it('ends with the process that started it, however that ends', async () => {
    const entry = fileURLToPath(new URL('../../tests/killed-process.ts', import.meta.url))
    const parent = spawn(process.execPath, [entry, folder, path], { stdio: 'ignore' })
    parent.on('error', () => {})
    const sizeOf = (name: string) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      )
    await expect.poll(() => sizeOf('alive'), { timeout: 30_000 }).toBeGreaterThan(0)
    const ended = once(parent, 'exit')
    parent.kill('SIGKILL')
    await ended
    // A running process writes ten times a second: two equal sizes a second apart mean that it has ended.
    let last = -1
    const hasStopped = async () => {
      const size = await sizeOf('alive')
      const isSame = size === last
      last = size
      return isSame
    }
    await expect.poll(hasStopped, { interval: 1000, timeout: 20_000 }).toBe(true)
  })
})
