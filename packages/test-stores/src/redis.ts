import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Guarded } from './certificates.ts'
import { dockerRedis, hasDocker } from './docker.ts'
import { freePorts } from './ports.ts'
import { canRun, type Program, startProgram } from './program.ts'
import { reasonOf, type Source, type StoreOptions, type TestStore } from './store.ts'

const INSTALL = 'Redis is not installed: on Debian, apt-get install -y redis-server'

let source: Promise<Source> | undefined
const findSource = async (): Promise<Source> => {
  if (await canRun('redis-server', ['--version'])) return 'programs'
  return (await hasDocker()) ? 'docker' : { missing: INSTALL }
}
const redisSource = () => (source ??= findSource())

/** Why Redis is not available here, or undefined. @throws Error when it is required */
export const whyNoRedis = async (): Promise<string | undefined> => reasonOf(await redisSource())

const portFlags = (port: number, guarded: Guarded | undefined): string[] => {
  if (!guarded) return ['--port', String(port)]
  const { certificate, key } = guarded.authority.issue('redis')
  const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', guarded.authority.file]
  const users = ['--user', guarded.username, 'on', `>${guarded.password}`, '~*', '&*', '+@all', '--user', 'default', 'off']
  // It requires client certificates too.
  return ['--port', '0', '--tls-port', String(port), ...files, '--tls-auth-clients', 'yes', ...users]
}

/** Starts a Redis that writes nothing to disk. @throws Error when this machine has none */
export const startRedis = async (options: StoreOptions = {}): Promise<TestStore & { url: string }> => {
  const found = await redisSource()
  if (typeof found !== 'string') throw new Error(found.missing)
  const port = options.port ?? (await freePorts(1))
  const address = `127.0.0.1:${port}`
  const { guarded } = options
  const url = guarded ? `rediss://${guarded.username}:${guarded.password}@${address}` : `redis://${address}`
  if (found === 'docker') return { ...(await dockerRedis(port)), url }

  const folder = options.dir ?? mkdtempSync(join(tmpdir(), 'redis-'))
  const flags = [...portFlags(port, guarded), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no']
  mkdirSync(folder, { recursive: true })
  const logFile = join(folder, 'redis.log')
  const ready = 'Ready to accept connections'
  const launch = () => startProgram({ command: 'redis-server', flags, logFile, ready, within: 10_000, onEnd: options.onEnd })
  let program: Program = await launch()
  return {
    url,
    address,
    kill: () => program.end('SIGKILL'),
    start: async () => {
      program = await launch()
    },
    stop: async () => {
      await program.end('SIGTERM')
      if (!options.dir) rmSync(folder, { recursive: true, force: true })
    },
  }
}
