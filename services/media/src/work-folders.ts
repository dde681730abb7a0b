import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** Folders in which files are worked on, each for one of them. */
export type WorkFolders = {
  /** Makes a folder that is the caller's to delete. What killed processes left is cleared away first. */
  make(kind: 'upload' | 'motion'): Promise<string>
}

/** What is left of a process of a machine that is gone is older than this, in milliseconds. */
const LEFT_BEHIND = 24 * 3_600_000

const OWNER = /^(?:upload|motion)-(.+)-(\d+)-[^-]+$/

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether a folder is left over: its process has ended, or had the same number before a restart, as in a container. */
const isLeft = async (path: string, name: string): Promise<boolean> => {
  const [, host, pid] = OWNER.exec(name) ?? []
  if (host === hostname()) return Number(pid) === process.pid || !isRunning(Number(pid))
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && found.mtimeMs < Date.now() - LEFT_BEHIND
}

const sweep = async (root: string): Promise<void> => {
  for (const name of await readdir(root)) {
    const path = join(root, name)
    if (await isLeft(path, name)) await rm(path, { recursive: true, force: true })
  }
}

/** Work folders below a root, named after the process that works in them. A process has one such root and opens it once. */
export const workFolders = ({ root }: { root: string }): WorkFolders => {
  let prepared: Promise<void> | undefined
  const prepare = async () => {
    await mkdir(root, { recursive: true })
    await sweep(root)
  }
  return {
    async make(kind) {
      prepared ??= prepare().catch((error) => {
        prepared = undefined
        throw error
      })
      await prepared
      return mkdtemp(join(root, `${kind}-${hostname()}-${process.pid}-`))
    },
  }
}
