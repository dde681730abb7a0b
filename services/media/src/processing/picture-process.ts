import { Failure, isOutage, unavailable } from '@rookery/failures'
import { every } from '@rookery/handles'
import { makeImage } from './image.ts'
import type { PictureAnswer, PictureCost, PictureOutcome, PictureTask } from './picture-task.ts'
import { UnreadableError } from './unreadable-error.ts'

/**
 * The entry of a child process that makes pictures, one at a time. Decoders allocate outside the heap and cannot be interrupted, so this
 * process monitors its own memory and processor time while the image library works on other threads, and exits when it exceeds a limit.
 */

/** How often it checks, in milliseconds. */
const WATCHED_EVERY = 5

/** Processor time counts, not wall time, which depends on other load. */
const costSince = (before: NodeJS.CpuUsage): PictureCost => {
  const { user, system } = process.cpuUsage(before)
  return {
    heldBytes: process.memoryUsage.rss(),
    peakBytes: process.resourceUsage().maxRSS * 1024,
    cpuMilliseconds: Math.round((user + system) / 1000),
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const faultOf = (error: unknown): PictureOutcome => {
  if (error instanceof UnreadableError) return { outcome: 'unreadable', reason: reasonOf(error.cause) }
  const failure = isOutage(error) ? unavailable(error) : error
  if (!(failure instanceof Failure)) throw failure
  return { outcome: 'failed', kind: failure.kind, message: failure.message, reason: reasonOf(failure.cause) }
}

const make = async (task: PictureTask) => {
  const before = process.cpuUsage()
  const answer = (outcome: PictureOutcome, done: () => void = () => {}) => {
    const whole: PictureAnswer = { ...outcome, ...costSince(before) }
    process.send?.(whole, done)
  }
  const end = () => process.kill(process.pid, 'SIGKILL')
  const giveUp = (outcome: 'too_much_memory' | 'too_slow') => {
    watch.stop()
    answer({ outcome }, end)
  }
  const look = () => {
    if (process.memoryUsage.rss() > task.maxBytes) giveUp('too_much_memory')
    else if (costSince(before).cpuMilliseconds > task.maxCpu) giveUp('too_slow')
  }
  const watch = every(WATCHED_EVERY, look, { onError: end })
  try {
    answer({ outcome: 'made', image: await makeImage(task.path, task) })
  } catch (error) {
    answer(faultOf(error))
  } finally {
    watch.stop()
  }
}

// An unexpected error ends this process, and is printed.
process.on('message', (task: PictureTask) => void make(task))

// The server has ended: the picture is not needed.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
