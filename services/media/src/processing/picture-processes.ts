import { Failure, invalid, unavailable } from '@rookery/failures'
import { after, type Timer } from '@rookery/handles'
import type { Logger, Metric } from '@rookery/runtime'
import type { MadeImage } from './image.ts'
import { ask, type Ending, end, type PictureChild, ref, startChild, unref } from './picture-child.ts'
import type { PictureAnswer, PictureTask } from './picture-task.ts'
import { UnreadableError } from './unreadable-error.ts'

/** Makes pictures in child processes, which can be killed at any time (docs/decisions/0014). */
export type PictureProcesses = {
  /**
   * Makes the files of a picture. When it rejects, nothing writes to the folder any more.
   * @throws UnreadableError; Failure invalid for a picture outside the limits, broken when no preview could be made of one that was read,
   * unavailable when the caller disconnected or the system cannot start a process
   */
  make(task: Omit<PictureTask, 'maxBytes' | 'maxCpu'>, signal: AbortSignal): Promise<MadeImage>
  readonly metrics: readonly Metric[]
  close(): Promise<void>
}

/** Limits per picture. */
export type PictureLimits = {
  /** Resident memory of its process, Node and the image library included, in bytes. */
  maxBytes: number
  /** Processor time, in milliseconds. */
  maxCpu: number
  /** Wall time, in milliseconds, for a process that hangs. */
  deadline: number
  /** How long an idle process is kept, in milliseconds. */
  idle: number
}

const MEGABYTE = 1024 * 1024

/**
 * Of these 448 MB, Node and the image library take 115; a progressive JPEG of 33 million pixels takes 265 more. The slowest picture within
 * the size limits, an animation of noise, takes four seconds of a processor.
 */
export const PICTURE_LIMITS: PictureLimits = { maxBytes: 448 * MEGABYTE, maxCpu: 6000, deadline: 60_000, idle: 30_000 }

/** A process that holds more than this after its work is replaced, in bytes. */
const MAX_HELD = 160 * MEGABYTE

const OUTCOMES = ['made', 'unreadable', 'failed', 'too_much_memory', 'too_slow', 'abandoned', 'crashed', 'ended'] as const
type Outcome = (typeof OUTCOMES)[number]

/** Outcomes to log for the operator. */
const IS_LOGGED: ReadonlySet<Outcome> = new Set(['too_much_memory', 'too_slow', 'crashed', 'ended'])

/** Signals of a crashed process: here of a decoder, on its input. */
const CRASHES: readonly (NodeJS.Signals | null)[] = ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP']

/** Why a process ended without an answer. */
const outcomeOf = ({ signal }: Ending, { late, gone }: { late: AbortSignal; gone: AbortSignal }): Outcome => {
  if (gone.aborted) return 'abandoned'
  if (late.aborted) return 'ended'
  return CRASHES.includes(signal) ? 'crashed' : 'ended'
}

/** The error of a picture whose process ended. */
const failureOf = (outcome: Outcome, { code, signal, error, complaint }: Ending): Error => {
  if (outcome === 'too_much_memory') return invalid('File is too large: it takes too much memory to process')
  if (outcome === 'too_slow') return invalid('File is too large: it takes too long to process')
  if (outcome === 'abandoned') return unavailable('the caller has gone')
  if (outcome === 'crashed') return new UnreadableError(new Error(`the decoder ended by ${signal}`))
  // The system could not start it, killed it or starved it.
  if (error || signal === 'SIGKILL') return unavailable(error ?? new Error('the process was killed'))
  return new Error(`the process of a picture ended with ${code ?? signal}: ${complaint}`)
}

const imageOf = (answer: PictureAnswer & { outcome: 'made' | 'unreadable' | 'failed' }): MadeImage => {
  if (answer.outcome === 'unreadable') throw new UnreadableError(new Error(answer.reason))
  if (answer.outcome === 'failed') throw new Failure(answer.kind, answer.message, { cause: new Error(answer.reason) })
  return answer.image
}

/** Idle child processes, each kept for a while. */
const idleChildren = (milliseconds: number, start: () => PictureChild, onError: (error: unknown) => void) => {
  const idle = new Map<PictureChild, Timer>()
  const take = (child: PictureChild) => {
    idle.get(child)?.stop()
    idle.delete(child)
    ref(child)
    return child
  }
  return {
    /** An idle child process, or a new one. */
    take: (): PictureChild => take(idle.keys().next().value ?? start()),
    add(child: PictureChild) {
      unref(child)
      idle.set(
        child,
        after(milliseconds, () => end(take(child)), { onError, holdsProcess: false }),
      )
      void child.ended.then(() => idle.delete(child))
    },
    close: async () => void (await Promise.all([...idle.keys()].map((child) => end(take(child))))),
  }
}

type Deps = {
  log: Logger
  limits?: PictureLimits
  /** The entry file of children; picture-process.ts by default. */
  entry?: string
}

/** Starts processes on demand and ends idle ones. The caller limits how many run at once. */
export const pictureProcesses = (deps: Deps): PictureProcesses => {
  const { log, limits = PICTURE_LIMITS } = deps
  const onError = (error: unknown) => log.error({ err: error }, 'an idle picture process could not be ended')
  const idle = idleChildren(limits.idle, () => startChild(deps.entry), onError)
  const counts = new Map<Outcome, number>(OUTCOMES.map((outcome) => [outcome, 0]))
  let peak = 0

  return {
    async make(task, gone) {
      const begun = performance.now()
      const late = AbortSignal.timeout(limits.deadline)
      const child = idle.take()
      const answer = await ask(child, { ...task, maxBytes: limits.maxBytes, maxCpu: limits.maxCpu }, AbortSignal.any([gone, late]))
      const isLeft = answer !== undefined && answer.outcome !== 'too_much_memory' && answer.outcome !== 'too_slow'
      if (isLeft && answer.heldBytes <= MAX_HELD) idle.add(child)
      else await end(child)

      const outcome = answer?.outcome ?? outcomeOf(await child.ended, { late, gone })
      counts.set(outcome, counts.get(outcome)! + 1)
      peak = Math.max(peak, answer?.peakBytes ?? 0)
      if (IS_LOGGED.has(outcome)) {
        const milliseconds = Math.round(performance.now() - begun)
        const { peakBytes, cpuMilliseconds } = answer ?? {}
        log.warn({ outcome, type: task.contentType, milliseconds, cpuMilliseconds, peakBytes }, 'a picture was given up')
      }
      if (isLeft) return imageOf(answer)
      throw failureOf(outcome, await child.ended)
    },
    metrics: [
      {
        name: 'rookery_pictures_total',
        help: 'Uploaded pictures by what came of them.',
        count: () => [...counts].map(([outcome, value]) => ({ labels: { outcome }, value })),
      },
      {
        name: 'rookery_picture_peak_bytes',
        help: 'The most memory that the process of a picture has held.',
        kind: 'gauge',
        count: () => peak,
      },
    ],
    close: idle.close,
  }
}
