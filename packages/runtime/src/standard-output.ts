import { writeSync } from 'node:fs'
import { after } from '@rookery/handles'

/** Bytes that may wait for a reader who is slow; lines beyond are left out. */
const MAX_WAITING = 1024 * 1024
const RETRY_MILLISECONDS = 50
/** How often the end of the process waits for the reader. */
const LAST_RETRIES = 20

const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MILLISECONDS)

/** How much of a line was written: nothing while there is no room, and all of one that cannot be written, as on a full disk. */
const writeOut = (line: Buffer, onGone: () => void): number => {
  try {
    return writeSync(1, line)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EPIPE') onGone()
    return code === 'EAGAIN' ? 0 : line.length
  }
}

/** Lines on their way to standard output. */
const createOutput = () => {
  const waiting: Buffer[] = []
  let bytes = 0
  let isGone = false
  const onGone = () => {
    isGone = true
  }

  /** Writes what there is room for. */
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

  // Asked for once, a pipe says that it is full, where it would keep the process waiting.
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
 * Writes lines to standard output, each before its writer goes on where there is room. A reader who is slow, stops reading or goes away keeps the process
 * neither from its work nor from its end, for which pino's own destination (10.4) waits for ever where lines wait and their reader has gone.
 */
export const standardOutput = (): { write(text: string): void } => {
  output ??= createOutput()
  return output
}
