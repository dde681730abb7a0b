import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { PictureAnswer, PictureTask } from './picture-task.ts'

/** How a process ended, and the last it wrote to its standard error. */
export type Ending = { code: number | null; signal: NodeJS.Signals | null; error?: Error; complaint: string }

/** A child process that makes one picture at a time. */
export type PictureChild = { readonly process: ChildProcess; readonly ended: Promise<Ending> }

const ENTRY = fileURLToPath(new URL('./picture-process.ts', import.meta.url))
const MAX_COMPLAINT = 2000

/** Has glibc give large blocks back to the system when they are freed: what a picture took is then not held for the next one. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }

/** Starts a child process. It gets nothing of the server's environment: no address, no secret. */
export const startChild = (entry = ENTRY): PictureChild => {
  const child = fork(entry, [], { env: ENVIRONMENT, execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-MAX_COMPLAINT)
  })
  child.stderr?.on('error', () => {})
  const ended = new Promise<Ending>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal, complaint }))
    child.on('error', (error) => resolve({ code: null, signal: null, error, complaint }))
  })
  return { process: child, ended }
}

/** Ends a child process; resolves when it has. */
export const end = (child: PictureChild): Promise<Ending> => {
  child.process.kill('SIGKILL')
  return child.ended
}

type Referenced = { ref?(): void; unref?(): void } | null | undefined
const handlesOf = ({ process }: PictureChild): Referenced[] => [process, process.channel, process.stderr as Referenced]

/** Keeps this process alive until the child has ended. */
export const ref = (child: PictureChild): void => {
  for (const handle of handlesOf(child)) handle?.ref?.()
}

/** Lets this process end although the child runs: the child then ends too. */
export const unref = (child: PictureChild): void => {
  for (const handle of handlesOf(child)) handle?.unref?.()
}

/** The answer to a task; undefined when the child ended without one, as it does when `stop` aborts. */
export const ask = ({ process: child, ended }: PictureChild, task: PictureTask, stop: AbortSignal): Promise<PictureAnswer | undefined> =>
  new Promise((resolve) => {
    const kill = () => void child.kill('SIGKILL')
    const idle = (answer?: PictureAnswer) => {
      child.off('message', idle)
      child.off('disconnect', idle)
      stop.removeEventListener('abort', kill)
      resolve(answer)
    }
    child.on('message', idle)
    // Comes after the last message, which the end of the process may not.
    child.on('disconnect', idle)
    void ended.then(({ error }) => error && idle())
    stop.addEventListener('abort', kill, { once: true })
    if (stop.aborted) return kill()
    child.send(task, (error) => error && idle())
  })
