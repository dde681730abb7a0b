import { spawnSync } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** What a decoder may use: processor time in seconds, address space and the largest file in bytes. */
export type Limits = {
  readonly cpuSeconds: number
  readonly memoryBytes: number
  readonly fileBytes: number
  /** By how much everything else comes first, from 0 to 19. */
  readonly niceness: number
}

/** The programs of this system that keep a child process within bounds, by their paths. What is missing or refused by the system is left out. */
export type Confinement = {
  /** Ends the child when this process ends (util-linux). */
  readonly setpriv?: string
  readonly nice?: string
  /** Bounds processor time, memory and files (util-linux). */
  readonly prlimit?: string
  /** No network, and of the file system only programs and the one folder (bubblewrap). */
  readonly bwrap?: string
  /** No network and no other processes, where there is no bubblewrap (util-linux). */
  readonly unshare?: string
}

/** Where a system keeps programs and their libraries. Everything else is out of reach. */
const SYSTEM = ['/usr', '/bin', '/lib', '/lib64', '/etc/alternatives', '/etc/ld.so.cache', '/nix/store']

const WORK = '/work'

const bubblewrap = (bwrap: string, { tool, folder, input }: Pick<Confined, 'tool' | 'folder' | 'input'>): string[] => [
  bwrap,
  ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
  ...SYSTEM.flatMap((path) => ['--ro-bind-try', path, path]),
  ...(SYSTEM.some((path) => tool.startsWith(`${path}/`)) ? [] : ['--ro-bind', tool, tool]),
  ...['--dev', '/dev', '--bind', folder, WORK],
  ...(input ? ['--ro-bind', join(folder, input), join(WORK, input)] : []),
  ...['--chdir', WORK, '--'],
]

const namespaces = (unshare: string): string[] => [
  ...[unshare, '--user', '--map-root-user', '--net', '--ipc', '--uts', '--pid', '--fork', '--kill-child', '--'],
]

/** A program that is to be run: in a folder, whose file `input` it may read and not write. */
export type Confined = {
  readonly tool: string
  readonly args: readonly string[]
  readonly folder: string
  readonly input?: string | undefined
  readonly limits: Limits
}

/** The command line that runs a program within bounds. Its own arguments come last and are never read by a shell. */
export const commandOf = (means: Confinement, confined: Confined): string[] => {
  const { tool, args, limits } = confined
  const { setpriv, nice, prlimit, bwrap, unshare } = means
  const bounds = [`--cpu=${limits.cpuSeconds}`, `--as=${limits.memoryBytes}`, `--fsize=${limits.fileBytes}`, '--nofile=256', '--core=0']
  return [
    ...(setpriv ? [setpriv, '--pdeathsig', 'KILL', '--'] : []),
    ...(nice ? [nice, '-n', String(limits.niceness)] : []),
    ...(prlimit ? [prlimit, ...bounds, '--'] : []),
    ...(bwrap ? bubblewrap(bwrap, confined) : unshare ? namespaces(unshare) : []),
    tool,
    ...args,
  ]
}

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Finds a program by its name on a search path, or by its own path. */
export const findProgram = (name: string, searchPath: string): string | undefined => {
  const places = isAbsolute(name) ? [name] : searchPath.split(delimiter).flatMap((folder) => (folder ? [join(folder, name)] : []))
  return places.find(isProgram)
}

const TRIED = { cpuSeconds: 10, memoryBytes: 2 ** 31, fileBytes: 2 ** 20, niceness: 1 }

/** The version of a program, run as it will be; undefined when it cannot be run so. */
export const versionWithin = (means: Confinement, tool: string, folder: string): string | undefined => {
  const [command = '', ...args] = commandOf(means, { tool, args: ['-version'], folder, limits: TRIED })
  const { status, stdout } = spawnSync(command, args, { cwd: folder, env: {}, timeout: 10_000, encoding: 'utf8', maxBuffer: 2 ** 20 })
  return status === 0 ? (/version (\S+)/.exec(stdout)?.[1] ?? 'unknown') : undefined
}

/** The strictest means of this system under which a program runs. */
export const findConfinement = (tool: string, { folder, searchPath }: { folder: string; searchPath: string }): Confinement => {
  const found = (name: 'setpriv' | 'nice' | 'prlimit' | 'bwrap' | 'unshare') => {
    const path = findProgram(name, searchPath)
    return path ? { [name]: path } : {}
  }
  const all: Confinement = { ...found('setpriv'), ...found('nice'), ...found('prlimit'), ...found('bwrap') }
  if (all.bwrap && versionWithin(all, tool, folder) !== undefined) return all
  let means: Confinement = {}
  for (const name of ['setpriv', 'nice', 'prlimit', 'bwrap', 'unshare'] as const) {
    if (name === 'unshare' && means.bwrap) continue
    const stricter = { ...means, ...found(name) }
    if (versionWithin(stricter, tool, folder) !== undefined) means = stricter
  }
  return means
}

/** The missing parts of a full confinement, in words for the operator. */
export const gapsOf = ({ setpriv, nice, prlimit, bwrap, unshare }: Confinement): string[] => [
  ...(bwrap || unshare ? [] : ['no network namespace (bubblewrap or unshare)']),
  ...(bwrap ? [] : ['files of this machine stay readable (bubblewrap)']),
  ...(prlimit ? [] : ['no limits on memory and processor time (prlimit)']),
  ...(nice ? [] : ['no lower priority (nice)']),
  ...(setpriv ? [] : ['a child may outlive a killed server (setpriv)']),
]
