import { setTimeout as pause } from 'node:timers/promises'

/** A timer that can be stopped. */
export type Timer = { stop(): void }

type Options = {
  /** Called with what the work throws or rejects with. */
  readonly onError: (error: unknown) => void
  /** Whether the timer keeps the process alive. */
  readonly holdsProcess?: boolean
}

const runner = (work: () => unknown, onError: (error: unknown) => void) => async (): Promise<void> => {
  try {
    await work()
  } catch (error) {
    onError(error)
  }
}

const started = (timer: NodeJS.Timeout, { holdsProcess = true }: Options): Timer => {
  if (!holdsProcess) timer.unref()
  // clearTimeout stops intervals as well.
  return { stop: () => clearTimeout(timer) }
}

/** Runs work at an interval, in milliseconds, without waiting for the previous run. */
export const every = (milliseconds: number, work: () => unknown, options: Options): Timer => {
  const run = runner(work, options.onError)
  return started(
    setInterval(() => void run(), milliseconds),
    options,
  )
}

/** Runs work once, after a delay in milliseconds. */
export const after = (milliseconds: number, work: () => unknown, options: Options): Timer => {
  const run = runner(work, options.onError)
  return started(
    setTimeout(() => void run(), milliseconds),
    options,
  )
}

/** Runs work after the current turn of the event loop. */
export const immediate = (work: () => unknown, { onError }: Pick<Options, 'onError'>): Timer => {
  const run = runner(work, onError)
  const immediate = setImmediate(() => void run())
  return { stop: () => clearImmediate(immediate) }
}

/** Sleeps for a time in milliseconds, or until the signal is aborted. Never rejects. */
export const sleep = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  pause(milliseconds, undefined, signal && { signal }).catch(() => {})
