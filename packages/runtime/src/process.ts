import type { Logger } from './logger.ts'

/** Things opened by a process, closed in reverse order. */
export class Opened {
  readonly #closers: { name: string; close(): unknown }[] = []
  add<T extends { close(): unknown }>(name: string, thing: T): T {
    this.#closers.push({ name, close: () => thing.close() })
    return thing
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

const GRACE_MILLISECONDS = 25_000
/** Ctrl+C reaches a process from the terminal, and at once again from whoever started it and passes signals on: that is one wish. */
const SAME_WISH_MILLISECONDS = 1000

/**
 * Runs a process: `start` opens things and registers how to close them; the first SIGTERM or SIGINT closes them in reverse order (stop
 * accepting, finish, hand back), another one a second later ends at once. A failed start closes what was opened and exits with 1.
 */
export const runProcess = async (log: Logger, start: (opened: Opened) => Promise<void>): Promise<void> => {
  const opened = new Opened()
  const report = (name: string, error: unknown) => log.error({ name, err: error }, 'closing failed')
  let stoppingSince: number | undefined
  const stop = async (signal: string) => {
    if (stoppingSince !== undefined) {
      if (Date.now() - stoppingSince > SAME_WISH_MILLISECONDS) process.exit(1)
      return
    }
    stoppingSince = Date.now()
    log.info({ signal }, 'stopping')
    const late = setTimeout(() => process.exit(1), GRACE_MILLISECONDS)
    await opened.close(report)
    clearTimeout(late)
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
  try {
    await start(opened)
  } catch (error) {
    await opened.close(report)
    // A fault of the settings is for a person: its sentence, no stack.
    if (error instanceof Error && error.name === 'ConfigurationError') console.error(error.message)
    else log.error({ err: error }, 'the start failed')
    process.exit(1)
  }
}
