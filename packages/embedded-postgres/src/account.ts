import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** The account that Postgres runs under when this process runs as root: Postgres refuses to run as root. */
export type Account = { name: string; uid: number; gid: number }

/** An unprivileged account of this machine if this process runs as root; else undefined. @throws Error when root finds none */
export const unprivilegedAccount = (): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'node', 'nobody']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':')
    if (fields) return { name, uid: Number(fields[2]), gid: Number(fields[3]) }
  }
  throw new Error(
    'Postgres refuses to run as root, and this machine has no account postgres, node or nobody for it. Run as another user, or set DATABASE_URL to a Postgres of your own.',
  )
}

const mayEnter = (folder: string, { uid, gid }: Account): boolean => {
  const { mode, uid: owner, gid: group } = statSync(folder)
  const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
  return (mode & bit) !== 0
}

/** Whether the account may enter a folder (an absolute path without links) and all folders above it. */
export const canReach = (folder: string, account: Account): boolean =>
  mayEnter(folder, account) && (folder === dirname(folder) || canReach(dirname(folder), account))
