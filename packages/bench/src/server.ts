import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

/** A server under measurement. */
export type Measured = { origin: string; pid: number; stop(): Promise<void> }

const answers = async (origin: string) => {
  try {
    return (await fetch(`${origin}/health`)).ok
  } catch {
    return false
  }
}

/** Starts a command and waits until it answers at the origin. @throws Error when it exits before */
export const startServer = async (
  command: readonly string[],
  origin: string,
  environment: Record<string, string>,
  { needsHealth = true } = {},
): Promise<Measured> => {
  const [program, ...parameters] = command
  const child: ChildProcess = spawn(program!, parameters, {
    env: { PATH: environment['PATH'], ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let isRunning = true
  void ended.then(() => {
    isRunning = false
  })
  for (let tries = 0; needsHealth && !(await answers(origin)); tries++) {
    if (!isRunning || tries > 3000) throw new Error(`${command.join(' ')} did not answer at ${origin}`)
    await pause(100)
  }
  return {
    origin,
    pid: child.pid!,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
