import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { stopOrphan } from '../src/orphan.ts'

let cluster: string
let server: ChildProcess

const write = (name: string, ...lines: (string | number | undefined)[]) => writeFileSync(join(cluster, name), lines.join('\n'))

/** Starts a process that keeps running with the folder as its working directory, as Postgres does in its cluster. */
const runIn = async (cwd: string) => {
  server = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(server.stdout!, 'data')
}

const deadPid = async () => {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid
}

beforeEach(() => {
  cluster = realpathSync(mkdtempSync(join(tmpdir(), 'orphan-')))
})
afterEach(() => {
  server.kill('SIGKILL')
  rmSync(cluster, { recursive: true, force: true })
})

test('what a dead launcher left is stopped', async () => {
  await runIn(cluster)
  const exited = once(server, 'exit')
  write('postmaster.pid', server.pid, cluster)
  write('launcher.pid', await deadPid())
  await stopOrphan(cluster)
  expect(await exited).toEqual([null, 'SIGINT'])
})

test('what a living launcher runs is left alone', async () => {
  await runIn(cluster)
  write('postmaster.pid', server.pid, cluster)
  write('launcher.pid', process.pid)
  await expect(stopOrphan(cluster)).rejects.toThrow('stop it first')
  expect(server.exitCode).toBeNull()
})

test('a stranger who has the pid by now is left alone', async () => {
  await runIn(tmpdir())
  write('postmaster.pid', server.pid, cluster)
  write('launcher.pid', await deadPid())
  await stopOrphan(cluster)
  expect(server.signalCode).toBeNull()
})
