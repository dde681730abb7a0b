import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isRunning } from '@rookery/handles'

/** Temporary folders for processing files, one per file. */
export type WorkFolders = {
  /** Creates a folder that the caller deletes. Removes the folders of killed processes first. */
  make(kind: 'upload' | 'motion'): Promise<string>
  /** Removes the folders of processes killed since the first one was created. */
  clear(): Promise<void>
}

/** Age at which a folder of another machine counts as abandoned, in milliseconds. */
const LEFT_BEHIND = 24 * 3_600_000

const OWNER = /^(?:upload|motion)-(.+)-(\d+)-[^-]+$/

type Sweep = {
  /** Before this process made its first folder: one of the same number is from before a restart, as in a container. */ isFirst: boolean
}

/** Whether a folder is abandoned: its process has ended. */
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

/** Work folders below a root, named after their process. A process has one such root and opens it once. */
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
