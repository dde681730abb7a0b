import type { FailureKind } from '@rookery/failures'
import type { Purpose } from './image.rules.ts'
import type { MadeImage } from './image.ts'

/** A picture to be made, as a process of its own gets it. */
export type PictureTask = {
  path: string
  contentType: string
  purpose: Purpose
  /** Where the files are written. */
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

/** What a picture cost: the memory its process holds and has held at most, in bytes; processor time in milliseconds. */
export type PictureCost = { heldBytes: number; peakBytes: number; cpuMilliseconds: number }

/** What came of a picture. */
export type PictureAnswer = PictureOutcome & PictureCost
