import { spawn } from 'node:child_process'
import { after } from '@rookery/handles'
import { type Confined, type Confinement, commandOf } from './confinement.ts'

/** The end of a run. */
export type Ended = {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
  readonly complaint: string
  /** Why it was killed, if it was. */
  readonly killed?: 'late' | 'abandoned' | 'talkative'
}

type RunOptions = { readonly deadline: number; readonly signal: AbortSignal }

/** Maximum bytes read of standard output, and kept of standard error. */
const MAX_OUTPUT = 2 ** 20
const MAX_COMPLAINT = 4000

/**
 * Runs a confined program in a process group of its own, which is killed as a whole at the deadline (milliseconds from now), when `signal`
 * aborts, or when it writes more than a megabyte. It gets none of the server's environment. @throws Error when it cannot be started
 */
export const runTool = (means: Confinement, confined: Confined, { deadline, signal }: RunOptions): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const [command = '', ...args] = commandOf(means, confined)
    const child = spawn(command, args, { cwd: confined.folder, env: {}, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const output: Buffer[] = []
    let size = 0
    let complaint = ''
    let killed: Ended['killed']
    const kill = (why: NonNullable<Ended['killed']>) => {
      if (child.pid === undefined) return
      killed ??= why
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It had already ended.
      }
    }
    child.stdout
      .on('error', () => {})
      .on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > MAX_OUTPUT) kill('talkative')
        else output.push(chunk)
      })
    child.stderr
      .on('error', () => {})
      .on('data', (chunk: Buffer) => {
        complaint = (complaint + chunk.toString('latin1')).slice(-MAX_COMPLAINT)
      })
    const late = after(deadline, () => kill('late'), { onError: reject })
    const abandon = () => kill('abandoned')
    signal.addEventListener('abort', abandon, { once: true })
    if (signal.aborted) abandon()
    const end = () => {
      late.stop()
      signal.removeEventListener('abort', abandon)
    }
    child.once('error', (error) => {
      end()
      reject(error)
    })
    child.once('close', (code, ended) => {
      end()
      resolve({ code, signal: ended, output: Buffer.concat(output).toString('utf8'), complaint, ...(killed && { killed }) })
    })
  })
