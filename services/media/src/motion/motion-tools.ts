import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { invalid, unavailable } from '@rookery/failures'
import type { Demuxer } from '../processing/index.ts'
import {
  convertArguments,
  coverArguments,
  layoutArguments,
  type PosterSearch,
  pictureArguments,
  posterArguments,
  probeArguments,
  TONE_FILTERS,
} from './arguments.rules.ts'
import type { Limits } from './confinement.ts'
import type { Tools } from './find-tools.ts'
import { type HeifLayout, heifFault, heifLayoutOf, heifTurnsOf } from './heif.rules.ts'
import type { Plan } from './motion.rules.ts'
import { MotionError, type MotionFailure } from './motion-error.ts'
import { type Probe, probeOf, type VideoStream } from './probe.rules.ts'
import { type Ended, runTool } from './run-tool.ts'

/** A video or audio file, in a folder that also receives the output. */
export type Source = { readonly folder: string; readonly file: string; readonly demuxer: Demuxer }

/** Operations on such a file, each in a confined process that `signal` kills. */
export type MotionTools = {
  /** Reads the content of a file. @throws MotionError; Failure unavailable when `signal` aborted it */
  probe(source: Source, signal: AbortSignal): Promise<Probe>
  /** Writes the most representative frame of a video's beginning, preferably not a black one; resolves to its path. @throws as `probe` */
  poster(source: Source, video: VideoStream, signal: AbortSignal): Promise<string>
  /** Writes the cover of an audio file; resolves to its path. @throws as `probe` */
  cover(source: Source, index: number, signal: AbortSignal): Promise<string>
  /** Converts a file as planned; resolves to the path of the result. @throws as `probe` */
  convert(source: Source, plan: Plan, signal: AbortSignal): Promise<string>
  /** Whether HEIF pictures can be read. */
  readonly readsHeif: boolean
  /** Writes a HEIF picture as a JPEG; resolves to its path. @throws as `probe`; Failure invalid for one outside the limits */
  picture(source: Source, signal: AbortSignal): Promise<string>
}

const MEGABYTE = 1024 * 1024
const SECOND = 1000

/** The limits of a run: resources, and a deadline in milliseconds. */
type Bounds = { readonly limits: Limits; readonly deadline: number }

/** Maximum processing time of a video, in milliseconds. */
export const MAX_RUN = 15 * 60 * SECOND

const QUICK: Bounds = { limits: { cpuSeconds: 15, memoryBytes: 1024 * MEGABYTE, fileBytes: MEGABYTE, niceness: 1 }, deadline: 30 * SECOND }
const STILL: Bounds = {
  limits: { cpuSeconds: 20, memoryBytes: 2048 * MEGABYTE, fileBytes: 16 * MEGABYTE, niceness: 5 },
  deadline: 30 * SECOND,
}
/** A picture of 24 megapixels has more than a hundred tiles, each with a thread and its stack. */
const TILES: Bounds = {
  limits: { cpuSeconds: 20, memoryBytes: 6144 * MEGABYTE, fileBytes: 64 * MEGABYTE, niceness: 5 },
  deadline: 30 * SECOND,
}
const WHOLE: Bounds = {
  limits: { cpuSeconds: (2 * MAX_RUN) / SECOND, memoryBytes: 3072 * MEGABYTE, fileBytes: 512 * MEGABYTE, niceness: 15 },
  deadline: MAX_RUN,
}

/** Failures by the signal that ended a program. A SIGKILL that is not ours means that the system is out of memory. */
const SIGNALS: Readonly<Record<string, MotionFailure>> = { SIGXCPU: 'too_slow', SIGXFSZ: 'too_large', SIGKILL: 'too_much_memory' }
/** The same by the exit codes of bubblewrap and unshare for a killed program. */
const CODES: Readonly<Record<number, MotionFailure>> = { 137: 'too_much_memory', 152: 'too_slow', 153: 'too_large' }

/** The failure of an ended run; undefined if it succeeded. */
export const failureOf = ({ code, signal, complaint, killed }: Ended): MotionFailure | undefined => {
  if (killed === 'late') return 'too_slow'
  if (killed === 'talkative') return 'unreadable'
  const ended = SIGNALS[signal ?? ''] ?? CODES[code ?? 0]
  if (ended) return ended
  if (/Cannot allocate memory|Killed/.test(complaint)) return 'too_much_memory'
  if (/File too large/.test(complaint)) return 'too_large'
  if (/partial file|File ended prematurely|moov atom not found/.test(complaint)) return 'cut'
  return code === 0 ? undefined : 'unreadable'
}

const SEARCHES: readonly PosterSearch[] = [
  { onlyKeyframes: true, withBlack: false },
  { onlyKeyframes: false, withBlack: false },
  { onlyKeyframes: true, withBlack: true },
  { onlyKeyframes: false, withBlack: true },
]

const isWritten = (path: string) =>
  stat(path).then(
    ({ size }) => size > 0,
    () => false,
  )

/** Bytes at the beginning of a HEIF file that are searched for its boxes: a thousand tiles are described in less. */
const MAX_HEAD = 256 * 1024

const headOf = async ({ folder, file }: Source): Promise<Buffer> => {
  const handle = await open(join(folder, file))
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_HEAD), 0, MAX_HEAD, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Runs a program on a file within limits. */
const runner = (confinement: Tools['confinement']) => {
  const run = async (tool: string, args: readonly string[], { folder, file }: Source, bounds: Bounds, signal: AbortSignal) => {
    const { limits, deadline } = bounds
    const ended = await runTool(confinement, { tool, args, folder, input: file, limits }, { deadline, signal })
    if (ended.killed === 'abandoned') throw unavailable('the work on a film was ended')
    if (/No space left on device/.test(ended.complaint)) throw unavailable('no space left for what is made of a film')
    return ended
  }
  const strictly = async (...given: Parameters<typeof run>): Promise<Ended> => {
    const ended = await run(...given)
    const failure = failureOf(ended)
    if (failure) throw new MotionError(failure, ended.complaint)
    return ended
  }
  return { run, strictly }
}

/** The path of the written file. @throws MotionError if nothing was written */
const written = async (source: Source, target: string): Promise<string> => {
  const path = join(source.folder, target)
  if (!(await isWritten(path))) throw new MotionError('unreadable', 'nothing was written')
  return path
}

type Runner = ReturnType<typeof runner>

/** Whether tone mapping is available, checked for the first HDR video: there are few. */
const toneFilters = (ffmpeg: string, { strictly }: Runner) => {
  let mapsTones: boolean | undefined
  return async (source: Source, signal: AbortSignal): Promise<boolean> => {
    if (mapsTones === undefined) {
      const { output } = await strictly(ffmpeg, ['-hide_banner', '-filters'], source, QUICK, signal)
      mapsTones = TONE_FILTERS.every((name) => new RegExp(`^ \\S+ ${name} `, 'm').test(output))
    }
    return mapsTones
  }
}

/** Reads the layout of a HEIF picture. @throws MotionError, Failure invalid */
const layoutWith =
  (ffprobe: string, { strictly }: Runner) =>
  async (source: Source, signal: AbortSignal): Promise<HeifLayout> => {
    const { output } = await strictly(ffprobe, layoutArguments(source.file), source, QUICK, signal)
    const layout = heifLayoutOf(output)
    if (!layout) throw new MotionError('unreadable', 'no picture that can be shown')
    const fault = heifFault(layout)
    if (fault) throw invalid(fault)
    return layout
  }

/** The operations with ffmpeg and ffprobe. */
export const motionTools = ({ ffmpeg, ffprobe, confinement, readsHeif }: Tools): MotionTools => {
  const runs = runner(confinement)
  const { run, strictly } = runs
  const findToneFilters = toneFilters(ffmpeg, runs)
  const layoutOf = layoutWith(ffprobe, runs)
  return {
    readsHeif,
    async picture(source, signal) {
      const target = 'picture.jpg'
      const layout = await layoutOf(source, signal)
      const turns = heifTurnsOf(await headOf(source))
      await strictly(ffmpeg, pictureArguments(source.file, { layout, turns, target }), source, TILES, signal)
      return written(source, target)
    },
    async probe(source, signal) {
      const { output } = await strictly(ffprobe, probeArguments(source.file, source.demuxer), source, QUICK, signal)
      const probe = probeOf(output)
      if (!probe) throw new MotionError('unreadable', 'no stream that can be played')
      return probe
    },
    async poster(source, { index, hdr }, signal) {
      const target = 'poster.jpg'
      const mapped = hdr && (await findToneFilters(source, signal)) ? hdr : undefined
      for (const search of SEARCHES) {
        const args = posterArguments(source.file, source.demuxer, { ...search, index, target, hdr: mapped })
        const ended = await run(ffmpeg, args, source, STILL, signal)
        const path = join(source.folder, target)
        if (await isWritten(path)) return path
        if (ended.killed === 'late') break
      }
      throw new MotionError('unreadable', 'no frame could be had')
    },
    async cover(source, index, signal) {
      await strictly(ffmpeg, coverArguments(source.file, source.demuxer, { index, target: 'cover.jpg' }), source, STILL, signal)
      return written(source, 'cover.jpg')
    },
    async convert(source, plan, signal) {
      const target = `made.${plan.extension}`
      const maps = plan.video?.hdr !== undefined && (await findToneFilters(source, signal))
      await strictly(ffmpeg, convertArguments(source.file, source.demuxer, { plan, target, mapsTones: maps }), source, WHOLE, signal)
      return written(source, target)
    },
  }
}
