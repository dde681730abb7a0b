import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { PictureAnswer, PictureTask } from './picture-task.ts'

/** The end of a process, and its last output to standard error. */
export type Ending = { code: number | null; signal: NodeJS.Signals | null; error?: Error; complaint: string }

/** A child process that makes one picture at a time. */
export type PictureChild = { readonly process: ChildProcess; readonly ended: Promise<Ending> }

const ENTRY = fileURLToPath(new URL('./picture-process.ts', import.meta.url))
const MAX_COMPLAINT = 2000

/** Makes glibc return large freed blocks to the system, so that the memory of a picture is not kept for the next one. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }

/** Starts a child process. It gets none of the server's environment: no address, no secret. */
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

/** Kills a child process; resolves when it has ended. */
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

/** Lets this process exit while the child runs: the child then exits too. */
export const unref = (child: PictureChild): void => {
  for (const handle of handlesOf(child)) handle?.unref?.()
}

/** Sends a task and resolves to its answer; undefined if the child ended without one, as it does when `stop` aborts. */
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
    // Comes after the last message, unlike the exit of the process.
    child.on('disconnect', idle)
    void ended.then(({ error }) => error && idle())
    stop.addEventListener('abort', kill, { once: true })
    if (stop.aborted) return kill()
    child.send(task, (error) => error && idle())
  })
