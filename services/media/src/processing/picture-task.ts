import type { FailureKind } from '@rookery/failures'
import type { Purpose } from './image.rules.ts'
import type { MadeImage } from './image.ts'

/** A task of a picture process. */
export type PictureTask = {
  path: string
  contentType: string
  purpose: Purpose
  /** The folder for the output. */
  folder: string
  /** Resident memory at which the process gives up, in bytes. */
  maxBytes: number
  /** Processor time at which the process gives up, in milliseconds. */
  maxCpu: number
}

export type PictureOutcome =
  | { outcome: 'made'; image: MadeImage }
  | { outcome: 'unreadable'; reason: string }
  | { outcome: 'failed'; kind: FailureKind; message: string; reason: string }
  | { outcome: 'too_much_memory' }
  | { outcome: 'too_slow' }

/** The cost of a picture: current and peak memory of its process in bytes, and processor time in milliseconds. */
export type PictureCost = { heldBytes: number; peakBytes: number; cpuMilliseconds: number }

/** The answer of a picture process. */
export type PictureAnswer = PictureOutcome & PictureCost
