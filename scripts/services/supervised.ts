import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

/** A process that is restarted whenever it ends. */
export type Supervised = {
  readonly name: string
  readonly pid: number
  /** Resolves when the process is ready. @throws Error after a minute */
  ready(): Promise<void>
  /** Kills the current process, like a crash. */
  kill(): void
  /** Kills it without a restart, until `resume`. */
  suspend(): Promise<void>
  resume(): void
  stop(): Promise<void>
}

type SupervisedOptions = {
  name: string
  file: string
  environment: Record<string, string | undefined>
  healthPort: number
  print: (line: string) => void
}

const SETPRIV = '/usr/bin/setpriv'
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 5000
/** A process that lived this long is restarted at once, in milliseconds. */
const LONG_LIFE = 10_000

/** Why a process is not ready, in its own words; undefined when it is. */
const lackOf = (port: number): Promise<string | undefined> =>
  fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(2000) }).then(
    async (response) => (response.ok ? undefined : await response.text()),
    (error: Error) => `it does not answer: ${error.message}`,
  )

/** Starts a Node program and keeps it running. It ends with this process. */
export const supervise = (options: SupervisedOptions): Supervised => {
  let child: ChildProcess
  let isWanted = true
  let wait = FIRST_PAUSE

  const show = (stream: Readable | null) => {
    if (stream) createInterface({ input: stream }).on('line', (line) => options.print(`${options.name.padEnd(24)} ${line}`))
  }
  const start = () => {
    const line = [process.execPath, options.file]
    const [command, ...flags] = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'TERM', ...line] : line
    // Detached: Ctrl+C reaches only the supervisor, which ends the others in order.
    child = spawn(command!, flags, { env: options.environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    show(child.stdout)
    show(child.stderr)
    const begun = Date.now()
    child.once('exit', async (code, signal) => {
      if (!isWanted) return
      options.print(`${options.name.padEnd(24)} ended with ${signal ?? code} and is started again`)
      wait = Date.now() - begun > LONG_LIFE ? FIRST_PAUSE : Math.min(wait * 2, LONGEST_PAUSE)
      await pause(wait)
      if (isWanted) start()
    })
  }
  const end = async (signal: NodeJS.Signals) => {
    isWanted = false
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  start()
  return {
    name: options.name,
    get pid() {
      return child.pid ?? 0
    },
    async ready() {
      for (const end = Date.now() + 60_000; ; await pause(50)) {
        const lack = await lackOf(options.healthPort)
        if (lack === undefined) return
        if (Date.now() > end) throw new Error(`${options.name} does not become ready: ${lack}`)
      }
    },
    kill: () => void child.kill('SIGKILL'),
    suspend: () => end('SIGKILL'),
    resume: () => {
      isWanted = true
      start()
    },
    stop: () => end('SIGTERM'),
  }
}
