import { setTimeout as pause } from 'node:timers/promises'

/** A timer that can be stopped. */
export type Timer = { stop(): void }

type Options = {
  /** Gets what the work throws or rejects with. */
  readonly onError: (error: unknown) => void
  /** Whether the process waits for the timer before it ends. */
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
  // Either kind of timer is stopped alike.
  return { stop: () => clearTimeout(timer) }
}

/** Runs work at intervals, in milliseconds; a run does not wait for the one before. */
export const every = (milliseconds: number, work: () => unknown, options: Options): Timer => {
  const run = runner(work, options.onError)
  return started(
    setInterval(() => void run(), milliseconds),
    options,
  )
}

/** Runs work once, after so many milliseconds. */
export const after = (milliseconds: number, work: () => unknown, options: Options): Timer => {
  const run = runner(work, options.onError)
  return started(
    setTimeout(() => void run(), milliseconds),
    options,
  )
}

/** Runs work once the turn of the event loop that is under way is over. */
export const soon = (work: () => unknown, { onError }: Pick<Options, 'onError'>): Timer => {
  const run = runner(work, onError)
  const immediate = setImmediate(() => void run())
  return { stop: () => clearImmediate(immediate) }
}

/** Resolves after so many milliseconds, or as soon as the signal is aborted. Never rejects. */
export const rest = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  pause(milliseconds, undefined, signal && { signal }).catch(() => {})
