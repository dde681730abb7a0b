import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs a program to its end and returns its output. @throws Error with the end of its output */
export const runProgram = async (command: string, flags: readonly string[]): Promise<string> => {
  try {
    const { stdout, stderr } = await run(command, flags, { maxBuffer: 32 * 1024 * 1024 })
    return stdout + stderr
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string }
    throw new Error(`${command} failed: ${(stdout + stderr).slice(-3000) || message}`, { cause: error })
  }
}

/** Whether a program can be run; runs it to find out. */
export const canRun = (command: string, flags: readonly string[]): Promise<boolean> =>
  run(command, flags).then(
    () => true,
    () => false,
  )

/** A program that ends with this process. */
export type Program = { readonly isRunning: boolean; log(): string; end(signal: NodeJS.Signals): Promise<void> }

const SETPRIV = '/usr/bin/setpriv'

/**
 * Starts a program with its output in a file, and waits until that says it is ready. @throws Error with the end of the output if it never
 * does
 */
export const startProgram = async (given: {
  command: string
  flags: readonly string[]
  logFile: string
  ready: string
  within: number
  /** Called when it exited by itself. */
  onEnd?: (() => void) | undefined
}): Promise<Program> => {
  const log = openSync(given.logFile, 'w')
  // setpriv executes the program and makes the kernel stop it when this process dies. Detached, so that Ctrl+C does not reach it.
  const line = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'TERM', given.command] : [given.command]
  const child = spawn(line[0]!, [...line.slice(1), ...given.flags], { stdio: ['ignore', log, log], detached: true })
  closeSync(log)
  const program = programOf(child, given.logFile, given.onEnd)
  for (const end = Date.now() + given.within; !program.log().includes(given.ready); ) {
    if (!program.isRunning || Date.now() > end) {
      await program.end('SIGKILL')
      throw new Error(`${given.command} did not start (see ${given.logFile}): ${program.log().slice(-2000)}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return program
}

const programOf = (child: ChildProcess, logFile: string, onEnd: () => void = () => {}): Program => {
  const ended = once(child, 'exit').catch(() => {})
  child.once('exit', onEnd)
  const endNow = () => child.kill('SIGTERM')
  process.on('exit', endNow)
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null
  return {
    get isRunning() {
      return isRunning()
    },
    log: () => readFileSync(logFile, 'utf8'),
    end: async (signal) => {
      process.removeListener('exit', endNow)
      child.removeListener('exit', onEnd)
      if (!isRunning()) return
      child.kill(signal)
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(late)
    },
  }
}
