import { flushCompileCache } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { after } from '@rookery/handles'
import type { Logger } from './logger.ts'
import { startAdvice } from './start-advice.ts'
import { releaseStartMemory } from './start-memory.ts'

const GRACE_MILLISECONDS = 25_000

/** Resources of a process. On shutdown they drain for the longest drain period, then close in reverse order. */
export class Lifecycle {
  #drainMilliseconds = 0
  #moreGrace = 0
  readonly #onDrain: (() => void)[] = []
  readonly #closers: { name: string; close(): unknown }[] = []
  add<T extends { close(): unknown }>(name: string, thing: T): T {
    this.#closers.push({ name, close: () => thing.close() })
    return thing
  }
  /** On shutdown the process calls `onDrain` and keeps serving for this many milliseconds, until callers send no more work. */
  drainFor(milliseconds: number, onDrain: () => void): void {
    this.#drainMilliseconds = Math.max(this.#drainMilliseconds, milliseconds)
    this.#onDrain.push(onDrain)
  }
  /** Extends the timeout of the shutdown, in milliseconds. */
  extendTimeout(milliseconds: number): void {
    this.#moreGrace += milliseconds
  }
  /** The timeout of the shutdown, in milliseconds. */
  get graceMilliseconds(): number {
    return GRACE_MILLISECONDS + this.#drainMilliseconds + this.#moreGrace
  }
  /** Calls the functions registered by `drainFor`, then waits for the longest period. */
  async drain(): Promise<void> {
    for (const notify of this.#onDrain) notify()
    if (this.#drainMilliseconds > 0) await pause(this.#drainMilliseconds)
  }
  /** Registers a function to call when the process closes. */
  onClose(name: string, close: () => unknown): void {
    this.#closers.push({ name, close })
  }
  async close(report: (name: string, error: unknown) => void): Promise<void> {
    for (const { name, close } of this.#closers.reverse()) {
      try {
        await close()
      } catch (error) {
        report(name, error)
      }
    }
    this.#closers.length = 0
  }
}

/** Ctrl+C reaches a process from the terminal and, a moment later, from the parent that forwards signals: it counts once. */
const SAME_SIGNAL_MILLISECONDS = 1000

/** How long a start may go on when a shutdown is requested: its resources would otherwise be closed during use. */
const START_MILLISECONDS = 5000

/**
 * Runs a process: `start` opens resources and registers how to close them. The first SIGTERM or SIGINT drains them, then closes them in
 * reverse order; another signal a second later exits at once. A shutdown waits some seconds at most for a running start. A failed start
 * closes what was opened and exits with 1. With `NODE_COMPILE_CACHE` the compile cache is written after the start, which Node itself does
 * only at a clean exit. Memory that only the start needed is released.
 */
export const runProcess = async (log: Logger, start: (lifecycle: Lifecycle) => Promise<void>): Promise<void> => {
  const lifecycle = new Lifecycle()
  const report = (name: string, error: unknown) => log.error({ name, err: error }, 'closing a resource failed')
  let stoppingSince: number | undefined
  const started = Promise.withResolvers<void>()
  const stop = async (signal: string) => {
    if (stoppingSince !== undefined) {
      if (Date.now() - stoppingSince > SAME_SIGNAL_MILLISECONDS) process.exit(1)
      return
    }
    stoppingSince = Date.now()
    log.info({ signal }, 'stopping')
    const late = after(lifecycle.graceMilliseconds, () => process.exit(1), { onError: (error) => report('process', error) })
    await Promise.race([started.promise, pause(START_MILLISECONDS)])
    await lifecycle.drain()
    await lifecycle.close(report)
    late.stop()
    process.exit(0)
  }
  // A closed terminal or log reader does not end the server.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
  try {
    await start(lifecycle)
  } catch (error) {
    // A shutdown was requested, so the error does not matter.
    if (stoppingSince !== undefined) return started.resolve()
    await lifecycle.close(report)
    const advice = startAdvice(error)
    if (advice) console.error(advice)
    else log.error({ err: error }, 'start failed')
    process.exit(1)
  }
  started.resolve()
  flushCompileCache()
  await releaseStartMemory().catch((error) => log.warn({ err: error }, 'the memory of the start is kept'))
}
