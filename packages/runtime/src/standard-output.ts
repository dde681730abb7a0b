import { writeSync } from 'node:fs'
import { after } from '@rookery/handles'

/** Maximum bytes that wait for a slow reader; further lines are dropped. */
const MAX_WAITING = 1024 * 1024
const RETRY_MILLISECONDS = 50
/** How many retries to write remaining lines at exit. */
const LAST_RETRIES = 20

const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MILLISECONDS)

/** The bytes written of a line: 0 if there is no room, its length if it cannot be written, as on a full disk. */
const writeOut = (line: Buffer, onGone: () => void): number => {
  try {
    return writeSync(1, line)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EPIPE') onGone()
    return code === 'EAGAIN' ? 0 : line.length
  }
}

/** The lines waiting for standard output. */
const createOutput = () => {
  const waiting: Buffer[] = []
  let bytes = 0
  let isGone = false
  const onGone = () => {
    isGone = true
  }

  /** Writes as much as there is room for. */
  const writeOn = (): void => {
    for (let first = waiting[0]; first; first = waiting[0]) {
      const written = writeOut(first, onGone)
      bytes -= written
      if (written === first.length) waiting.shift()
      else waiting[0] = first.subarray(written)
      if (written === 0) return
    }
  }
  const writeLater = (): void => {
    if (waiting.length === 0) return
    const goOn = () => {
      writeOn()
      writeLater()
    }
    after(RETRY_MILLISECONDS, goOn, { onError: () => {}, holdsProcess: false })
  }

  // Accessing it makes a pipe non-blocking: a full one returns an error instead of blocking the process.
  void process.stdout
  process.once('exit', () => {
    for (let retry = 0; waiting.length > 0 && retry < LAST_RETRIES; retry++) {
      pause()
      writeOn()
    }
  })
  return {
    write(text: string): void {
      if (isGone || bytes > MAX_WAITING) return
      const line = Buffer.from(text)
      bytes += line.length
      if (waiting.push(line) > 1) return
      writeOn()
      writeLater()
    },
  }
}

let output: ReturnType<typeof createOutput> | undefined

/**
 * Writes lines to standard output, synchronously while there is room. A reader that is slow, stops reading or goes away blocks neither the
 * process nor its exit, where pino's own destination (10.4) waits for ever for a reader that has gone.
 */
export const standardOutput = (): { write(text: string): void } => {
  output ??= createOutput()
  return output
}
