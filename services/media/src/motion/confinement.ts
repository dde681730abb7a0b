import { spawnSync } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** Resource limits of a decoder: processor time in seconds, address space and the largest file in bytes. */
export type Limits = {
  readonly cpuSeconds: number
  readonly memoryBytes: number
  readonly fileBytes: number
  /** The nice value, from 0 to 19. */
  readonly niceness: number
}

/** The paths of this system's programs for confining a child process. Those that are missing or refused by the system are left out. */
export type Confinement = {
  /** Kills the child when this process dies (util-linux). */
  readonly setpriv?: string
  readonly nice?: string
  /** Limits processor time, memory and file sizes (util-linux). */
  readonly prlimit?: string
  /** No network, and only programs and the one folder of the file system (bubblewrap). */
  readonly bwrap?: string
  /** No network and no other processes, without bubblewrap (util-linux). */
  readonly unshare?: string
}

/** The folders of programs and libraries. Everything else is inaccessible. */
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

/** A program to run: in a folder, whose file `input` it may only read. */
export type Confined = {
  readonly tool: string
  readonly args: readonly string[]
  readonly folder: string
  readonly input?: string | undefined
  readonly limits: Limits
}

/** The command line that runs a confined program. Its own arguments come last and are never parsed by a shell. */
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

/** The version of a program, run in its confinement; undefined if it cannot be run. */
export const versionWithin = (means: Confinement, tool: string, folder: string): string | undefined => {
  const [command = '', ...args] = commandOf(means, { tool, args: ['-version'], folder, limits: TRIED })
  const { status, stdout } = spawnSync(command, args, { cwd: folder, env: {}, timeout: 10_000, encoding: 'utf8', maxBuffer: 2 ** 20 })
  return status === 0 ? (/version (\S+)/.exec(stdout)?.[1] ?? 'unknown') : undefined
}

/** The strictest confinement of this system in which a program runs. */
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

/** The missing parts of a full confinement, for the operator. */
export const gapsOf = ({ setpriv, nice, prlimit, bwrap, unshare }: Confinement): string[] => [
  ...(bwrap || unshare ? [] : ['no network namespace (bubblewrap or unshare)']),
  ...(bwrap ? [] : ['files of this machine stay readable (bubblewrap)']),
  ...(prlimit ? [] : ['no limits on memory and processor time (prlimit)']),
  ...(nice ? [] : ['no lower priority (nice)']),
  ...(setpriv ? [] : ['a child may outlive a killed server (setpriv)']),
]
