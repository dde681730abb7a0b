import { setTimeout as pause } from 'node:timers/promises'
import { after } from '@rookery/handles'
import type { Logger } from './logger.ts'
import { startAdvice } from './start-advice.ts'

const GRACE_MILLISECONDS = 25_000

/** Things opened by a process, closed in reverse order, after a last while in which it goes on working. */
export class Lifecycle {
  #lastWhile = 0
  #moreGrace = 0
  readonly #farewells: (() => void)[] = []
  readonly #closers: { name: string; close(): unknown }[] = []
  add<T extends { close(): unknown }>(name: string, thing: T): T {
    this.#closers.push({ name, close: () => thing.close() })
    return thing
  }
  /** Has the process, once told to stop, tell so by `farewell` and go on for so many milliseconds: until nobody sends it work any more. */
  drainFor(milliseconds: number, farewell: () => void): void {
    this.#lastWhile = Math.max(this.#lastWhile, milliseconds)
    this.#farewells.push(farewell)
  }
  /** Gives closing more time than usual, in milliseconds. */
  takesLonger(milliseconds: number): void {
    this.#moreGrace += milliseconds
  }
  /** The longest a stop may take, in milliseconds. */
  get graceMilliseconds(): number {
    return GRACE_MILLISECONDS + this.#lastWhile + this.#moreGrace
  }
  /** The last while. */
  async drain(): Promise<void> {
    for (const farewell of this.#farewells) farewell()
    if (this.#lastWhile > 0) await pause(this.#lastWhile)
  }
  /** Has something run when the process stops. */
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

/** Ctrl+C reaches a process from the terminal, and at once again from whoever started it and passes signals on: that is one wish. */
const SAME_WISH_MILLISECONDS = 1000

/**
 * Runs a process: `start` opens things and registers how to close them; the first SIGTERM or SIGINT lets it go on for its last while, then
 * closes them in reverse order (stop accepting, finish, hand back), another one a second later ends at once. A failed start closes what was opened and exits with 1.
 */
export const runProcess = async (log: Logger, start: (lifecycle: Lifecycle) => Promise<void>): Promise<void> => {
  const lifecycle = new Lifecycle()
  const report = (name: string, error: unknown) => log.error({ name, err: error }, 'closing failed')
  let stoppingSince: number | undefined
  const stop = async (signal: string) => {
    if (stoppingSince !== undefined) {
      if (Date.now() - stoppingSince > SAME_WISH_MILLISECONDS) process.exit(1)
      return
    }
    stoppingSince = Date.now()
    log.info({ signal }, 'stopping')
    const late = after(lifecycle.graceMilliseconds, () => process.exit(1), { onError: (error) => report('process', error) })
    await lifecycle.drain()
    await lifecycle.close(report)
    late.stop()
    process.exit(0)
  }
  // A reader of the log that goes away, as a terminal that is closed, does not end the server.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
  try {
    await start(lifecycle)
  } catch (error) {
    await lifecycle.close(report)
    const advice = startAdvice(error)
    if (advice) console.error(advice)
    else log.error({ err: error }, 'the start failed')
    process.exit(1)
  }
}
