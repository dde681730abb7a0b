import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, existsSync, lchownSync, lstatSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isListening } from '@rookery/handles'
import { type Account, unprivilegedAccount } from './account.ts'
import { findBinaries } from './binaries.ts'
import { openDataFolder } from './data-folder.ts'
import { recordLauncher, stopOrphan } from './orphan.ts'
import { createPrograms, type Programs } from './programs.ts'

type PostgresOptions = {
  /** The folder of the cluster; created when missing. */
  dataDir: string
  /** More arguments for the server, e.g. ['-c', 'max_connections=200']. */
  flags?: readonly string[]
  /** Gives up durability against a crash of the machine, for speed. */
  isForTests?: boolean
  /** Called when the server exited unexpectedly; it is restarted at once. */
  onCrash?: (reason: string) => void
}

/** A Postgres server that belongs to this process. */
export type EmbeddedPostgres = {
  /** Connection URL for `pg`: a role (the administrator's is postgres) and a database. */
  url(role: string, database: string): string
  /** Shuts the server down cleanly; open connections are closed. */
  stop(): Promise<void>
  /** The pid of the server; another one after a restart. */
  readonly pid: number
}

/** A commit still reaches the kernel before it is acknowledged, so tests may kill the server. */
const TEST_FLAGS = ['fsync=off', 'full_page_writes=off', 'max_connections=400'].flatMap((flag) => ['-c', flag])
const INIT_FLAGS = ['-U', 'postgres', '-A', 'trust', '--encoding=UTF8', '--locale-provider=icu', '--icu-locale=und', '--locale=C.UTF-8']

/** sockaddr_un holds 108 bytes on Linux and 104 on macOS, the closing NUL and "/.s.PGSQL.5432" included. */
const LONGEST_FOLDER = 104 - 1 - '/.s.PGSQL.5432'.length
const PORT = 5432

/** Makes a folder that only the account may enter: anyone who reaches the socket is Postgres's administrator. */
const makePrivate = (folder: string, account: Account | undefined) => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const owner = account?.uid ?? process.getuid?.()
  const found = lstatSync(folder)
  if (!found.isDirectory() || (found.uid !== owner && found.uid !== process.getuid?.()))
    throw new Error(`${folder} belongs to another account: give it to this one, or name another folder.`)
  if (account) chownSync(folder, account.uid, account.gid)
  chmodSync(folder, 0o700)
  return folder
}

/**
 * Gives the account the files that root copied here, which Postgres could not read. A folder is changed after its contents, so that a start
 * killed halfway is resumed by the next.
 */
const giveCopy = (path: string, account: Account): void => {
  const found = lstatSync(path)
  if (found.uid !== 0) return
  if (found.isDirectory()) for (const name of readdirSync(path)) giveCopy(join(path, name), account)
  lchownSync(path, account.uid, account.gid)
}

/** The folder of the socket: beside the data, or a short one where that path is too long for a socket. */
const socketPlace = (dataDir: string): string => {
  const beside = join(dataDir, 'socket')
  const isShort = Buffer.byteLength(beside) <= LONGEST_FOLDER
  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  return isShort ? beside : join('/tmp', `rookery-${digest}`)
}

/** The cluster's name in the data folder. */
const CLUSTER = 'data'

/** Creates the cluster under another name and renames it, so that a start killed halfway leaves no cluster that looks complete. */
const initialise = (dataDir: string, seenAs: string, programs: Programs, isForTests: boolean) => {
  const unfinished = `${CLUSTER}.unfinished`
  rmSync(join(dataDir, unfinished), { recursive: true, force: true })
  programs.initdb(['-D', join(seenAs, unfinished), ...INIT_FLAGS, ...(isForTests ? ['--no-sync'] : [])])
  renameSync(join(dataDir, unfinished), join(dataDir, CLUSTER))
}

/** Resolves when the server accepts connections. @throws Error with the end of its log when it exits before */
const launch = async (programs: Programs, flags: readonly string[]): Promise<ChildProcess> => {
  const child = programs.postgres(flags)
  const log = child.stderr!
  let words = ''
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject)
    child.once('exit', () => reject(new Error(`Postgres did not start: ${words}`)))
    log.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-4000)
      if (text.includes('ready to accept connections')) resolve()
    })
  })
  child.removeAllListeners('exit')
  // The log is read and dropped: a full pipe would block the server.
  log.removeAllListeners('data').resume()
  return child
}

/** Retries for ten seconds: after a kill, Postgres's remaining processes hold the shared memory for a moment. */
const launchSoon = async (programs: Programs, flags: readonly string[]): Promise<ChildProcess> => {
  for (const end = Date.now() + 10_000; ; await pause(50)) {
    try {
      return await launch(programs, flags)
    } catch (error) {
      if (Date.now() > end || !/still in use|already exists/.test((error as Error).message)) throw error
    }
  }
}

/**
 * Starts a Postgres that belongs to this process, reachable over a unix socket only, with its data in `dataDir`. Stops one that a killed
 * process left running there; restarts the server when it crashes; the server ends with this process.
 * @throws Error when this machine has no binaries or account for it, or another process uses the folder
 */
export const startPostgres = async (options: PostgresOptions): Promise<EmbeddedPostgres> => {
  const account = unprivilegedAccount()
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  const dataDir = makePrivate(realpathSync(options.dataDir), account)
  const cluster = join(dataDir, CLUSTER)
  const native = findBinaries(account)
  const folder = openDataFolder(dataDir, account)
  const programs = createPrograms(native, account, folder)
  const isForTests = options.isForTests ?? false
  if (!existsSync(join(cluster, 'PG_VERSION'))) initialise(dataDir, folder.path, programs, isForTests)
  if (account) giveCopy(cluster, account)
  await stopOrphan(cluster)
  recordLauncher(cluster)

  const socket = makePrivate(socketPlace(dataDir), account)
  const socketSeenAs = socket.startsWith(dataDir) ? join(folder.path, relative(dataDir, socket)) : socket
  const places = ['-D', join(folder.path, CLUSTER), '-k', socketSeenAs, '-p', String(PORT), '-c', 'listen_addresses=']
  const own = [...places, '-c', 'timezone=UTC', '-c', 'log_timezone=UTC']
  const flags = [...own, ...(isForTests ? TEST_FLAGS : []), ...(options.flags ?? [])]
  return supervise(() => launchSoon(programs, flags), socket, folder.close, options.onCrash ?? (() => {}))
}

const urlIn =
  (socket: string) =>
  (role: string, database: string): string =>
    `postgres://${encodeURIComponent(role)}@localhost:${PORT}/${encodeURIComponent(database)}?host=${encodeURIComponent(socket)}`

/** The Postgres that another process runs on `dataDir`, or undefined. */
export const runningPostgres = async (dataDir: string): Promise<Pick<EmbeddedPostgres, 'url'> | undefined> => {
  if (!existsSync(join(dataDir, CLUSTER, 'PG_VERSION'))) return undefined
  const socket = socketPlace(realpathSync(dataDir))
  return (await isListening(join(socket, `.s.PGSQL.${PORT}`))) ? { url: urlIn(socket) } : undefined
}

const supervise = async (
  start: () => Promise<ChildProcess>,
  socket: string,
  onStop: () => void,
  onCrash: (reason: string) => void,
): Promise<EmbeddedPostgres> => {
  let isStopping = false
  let child = await start()
  let restart: Promise<void> | undefined
  const watch = () =>
    child.once('exit', (code, signal) => {
      if (isStopping) return
      onCrash(`Postgres ended with ${signal ?? code}`)
      restart = again()
    })
  const again = async () => {
    while (!isStopping) {
      try {
        child = await start()
        watch()
        return
      } catch (error) {
        onCrash((error as Error).message)
        await pause(1000)
      }
    }
  }
  const endNow = () => child.kill('SIGINT')
  const end = async () => {
    isStopping = true
    await restart
    process.removeListener('exit', endNow)
    onStop()
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    endNow()
    await ended
  }
  let stopped: Promise<void> | undefined
  watch()
  process.on('exit', endNow)
  return {
    url: urlIn(socket),
    stop: () => {
      stopped ??= end()
      return stopped
    },
    get pid() {
      return child.pid ?? 0
    },
  }
}
