import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Account } from './account.ts'
import type { DataFolder } from './data-folder.ts'

/** Of util-linux: executes a program that receives a signal when its parent dies. */
const SETPRIV = '/usr/bin/setpriv'

/** This process's environment is not passed on: Postgres would read settings from variables that begin with PG. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin' }

/** Postgres's programs, run under an account, with access to the data folder. */
export type Programs = {
  /** Runs initdb to completion. @throws Error with the end of its output */
  initdb(flags: readonly string[]): void
  /** Starts the server. It ends with this process where the machine has setpriv. */
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
      // SIGINT is Postgres's fast shutdown.
      const [command, ...first] = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'INT', program] : [program]
      // Detached: Ctrl+C in a terminal reaches only this process, which stops the server once it is no longer needed.
      return spawn(command!, [...first, ...flags], { ...options, detached: true, stdio: ['ignore', 'ignore', 'pipe', ...folder.inherited] })
    },
  }
}
