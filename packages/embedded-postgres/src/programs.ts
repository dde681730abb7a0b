import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Account } from './account.ts'
import type { DataFolder } from './data-folder.ts'

/** From util-linux: it starts a program that ends with its parent, and is then that program. */
const SETPRIV = '/usr/bin/setpriv'

/** None of this process's variables: Postgres would take settings from those that begin with PG. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin' }

/** Postgres's programs, run under an account with the data folder at hand. */
export type Programs = {
  /** Runs initdb to its end. @throws Error with its last words */
  initdb(flags: readonly string[]): void
  /** Starts the server; it ends with this process where the machine can see to it. */
  postgres(flags: readonly string[]): ChildProcess
}

export const createPrograms = (native: string, account: Account | undefined, folder: DataFolder): Programs => {
  const options = { ...(account && { uid: account.uid, gid: account.gid }), cwd: '/', env: ENVIRONMENT }
  return {
    initdb(flags) {
      const stdio = ['ignore', 'ignore', 'pipe', ...folder.inherited] as const
      const made = spawnSync(join(native, 'bin/initdb'), flags, { ...options, stdio: [...stdio], encoding: 'utf8' })
      if (made.status !== 0) throw new Error(`Postgres could not make its data folder: ${(made.error?.message ?? made.stderr).trim()}`)
    },
    postgres(flags) {
      const program = join(native, 'bin/postgres')
      // SIGINT is Postgres's quick and clean shutdown.
      const [command, ...first] = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'INT', program] : [program]
      // Detached: Ctrl+C in a terminal reaches this process alone, which ends the server when it needs it no more.
      return spawn(command!, [...first, ...flags], { ...options, detached: true, stdio: ['ignore', 'ignore', 'pipe', ...folder.inherited] })
    },
  }
}
