import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isRunning } from '@rookery/handles'

/** Folders in which files are worked on, each for one of them. */
export type WorkFolders = {
  /** Makes a folder that is the caller's to delete. What killed processes left is cleared away first. */
  make(kind: 'upload' | 'motion'): Promise<string>
  /** Clears away what killed processes left since the first folder was made. */
  clear(): Promise<void>
}

/** What is left of a process of a machine that is gone is older than this, in milliseconds. */
const LEFT_BEHIND = 24 * 3_600_000

const OWNER = /^(?:upload|motion)-(.+)-(\d+)-[^-]+$/

type Sweep = {
  /** Before this process made its first folder: one of the same number is from before a restart, as in a container. */ isFirst: boolean
}

/** Whether a folder is left over: its process has ended. */
const isLeft = async (path: string, name: string, { isFirst }: Sweep): Promise<boolean> => {
  const [, host, pid] = OWNER.exec(name) ?? []
  if (host === hostname()) return Number(pid) === process.pid ? isFirst : !isRunning(Number(pid))
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && found.mtimeMs < Date.now() - LEFT_BEHIND
}

const sweep = async (root: string, given: Sweep): Promise<void> => {
  for (const name of await readdir(root)) {
    const path = join(root, name)
    if (await isLeft(path, name, given)) await rm(path, { recursive: true, force: true })
  }
}

/** Work folders below a root, named after the process that works in them. A process has one such root and opens it once. */
export const workFolders = ({ root }: { root: string }): WorkFolders => {
  let prepared: Promise<void> | undefined
  const prepare = async () => {
    await mkdir(root, { recursive: true })
    await sweep(root, { isFirst: true })
  }
  const prepareOnce = () => {
    prepared ??= prepare().catch((error) => {
      prepared = undefined
      throw error
    })
    return prepared
  }
  return {
    async make(kind) {
      await prepareOnce()
      return mkdtemp(join(root, `${kind}-${hostname()}-${process.pid}-`))
    },
    async clear() {
      await prepareOnce()
      await sweep(root, { isFirst: false })
    },
  }
}
