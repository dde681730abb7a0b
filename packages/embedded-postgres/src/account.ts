import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** The account Postgres runs under when this process is root's, because Postgres refuses to be root. */
export type Account = { uid: number; gid: number }

/** From util-linux: it starts a program that ends with its parent, or with fewer rights, and is then that program. */
const SETPRIV = '/usr/bin/setpriv'
const hasSetpriv = existsSync(SETPRIV)

/** An unprivileged account of this machine when this process is root's; else undefined. @throws Error when root finds none */
export const unprivilegedAccount = (): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'node', 'nobody']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':')
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) }
  }
  throw new Error('Postgres refuses to run as root and this machine has no account postgres, node or nobody: run as another user.')
}

const mayEnter = (folder: string, { uid, gid }: Account): boolean => {
  const { mode, uid: owner, gid: group } = statSync(folder)
  const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
  return (mode & bit) !== 0
}

/** Whether the account can reach a folder through all those above it. */
const canReach = (folder: string, account: Account): boolean =>
  mayEnter(folder, account) && (folder === dirname(folder) || canReach(dirname(folder), account))

/** How to start a program of Postgres: under which account, and through which other program. */
export type Launch = { command: string; first: string[]; account: Account | undefined }

/**
 * Decides how Postgres's programs are started. They end with this process where the machine can see to it. When root keeps the project
 * in a folder only root can enter (/root), they are given the right to enter it. @throws Error when they cannot be
 */
export const decideLaunch = (folders: readonly string[]): ((program: string, options?: { endsWithParent?: boolean }) => Launch) => {
  const account = unprivilegedAccount()
  const isShut = account !== undefined && !folders.every((folder) => canReach(folder, account))
  if (isShut && !hasSetpriv) throw new Error(`Postgres cannot run as root, and nobody else can enter ${folders.join(' or ')}.`)
  return (program, { endsWithParent = false } = {}) => {
    const flags: string[] = []
    // SIGINT is Postgres's quick and clean shutdown.
    if (endsWithParent) flags.push('--pdeathsig', 'INT')
    if (isShut) flags.push(`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups')
    if (isShut) flags.push('--inh-caps=+dac_override', '--ambient-caps=+dac_override')
    if (!hasSetpriv || flags.length === 0) return { command: program, first: [], account }
    return { command: SETPRIV, first: [...flags, program], account: isShut ? undefined : account }
  }
}
