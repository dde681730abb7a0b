import { Failure } from '@rookery/failures'
import { every } from '@rookery/handles'
import { makeImage } from './image.ts'
import type { PictureAnswer, PictureCost, PictureOutcome, PictureTask } from './picture-task.ts'
import { UnreadableError } from './unreadable-error.ts'

/**
 * The entry of a child process that makes pictures, one at a time. Decoders allocate outside the heap and cannot be interrupted, so this
 * process watches its own memory while the image library works on threads of its own, and ends when it holds too much.
 */

/** How often memory is looked at, in milliseconds. */
const WATCHED_EVERY = 5

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
  if (!(error instanceof Failure)) throw error
  return { outcome: 'failed', kind: error.kind, message: error.message, reason: reasonOf(error.cause) }
}

const make = async (task: PictureTask) => {
  const before = process.cpuUsage()
  const answer = (outcome: PictureOutcome, done: () => void = () => {}) => {
    const whole: PictureAnswer = { ...outcome, ...costSince(before) }
    process.send?.(whole, done)
  }
  const end = () => process.kill(process.pid, 'SIGKILL')
  const look = () => {
    if (process.memoryUsage.rss() <= task.maxBytes) return
    watch.stop()
    answer({ outcome: 'too_much_memory' }, end)
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

// What nobody expects ends this process, and is its complaint.
process.on('message', (task: PictureTask) => void make(task))

// The server has ended: nothing waits for this picture.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
