import { closeSync, constants, existsSync, openSync } from 'node:fs'
import { type Account, canReach } from './account.ts'

/** The data folder as a program of Postgres sees it. */
export type DataFolder = {
  /** The path that the program uses. */
  readonly path: string
  /** File descriptors that the program inherits from this process, beside its standard streams. */
  readonly inherited: readonly number[]
  close(): void
}

/** The first descriptor after the standard streams. */
const PATH_OF_FIRST_INHERITED = '/proc/self/fd/3'

/**
 * Opens the data folder for an account. If root keeps it below a folder that only root may enter (/root), the program inherits the open
 * folder and names it by its descriptor, which needs no permission on the folders above (proc(5), /proc/pid/fd).
 * @throws Error when the machine has no /proc for that
 */
export const openDataFolder = (dataDir: string, account: Account | undefined): DataFolder => {
  if (!account || canReach(dataDir, account)) return { path: dataDir, inherited: [], close: () => {} }
  if (!existsSync('/proc/self/fd')) {
    throw new Error(
      `Postgres refuses to run as root, and its account ${account.name} cannot enter ${dataDir}. Set DATA_DIR to a folder that others may reach, or run as another user.`,
    )
  }
  const descriptor = openSync(dataDir, constants.O_RDONLY | constants.O_DIRECTORY)
  return { path: PATH_OF_FIRST_INHERITED, inherited: [descriptor], close: () => closeSync(descriptor) }
}
