import { LIMITS } from '@rookery/contracts/limits'
import type { MotionMetadata } from '../database/tables/attachment.ts'
import type { Extension } from '../storage/index.ts'
import type { AudioStream, HdrTransfer, Probe, Ratio, VideoStream } from './probe.rules.ts'

/** The type of an attachment made from video or audio. */
export type MotionType = 'video' | 'gifv' | 'audio'

type Size = { width: number; height: number }

/** The plan of a stream: copied or re-encoded. */
export type VideoPlan = Size & {
  readonly index: number
  readonly isCopied: boolean
  readonly isInterlaced: boolean
  readonly hdr: HdrTransfer | undefined
  readonly maxRate: number | undefined
  /** Whether frames are repeated for their display time: ffmpeg shows the last one only briefly, but many animations rest on it. */
  readonly repeatsFrames: boolean
}
export type AudioPlan = { readonly index: number; readonly isCopied: boolean; readonly channels: number; readonly sampleRate: number }

/** The steps that make a file playable in every browser. */
export type Plan = {
  readonly type: MotionType
  readonly extension: Extension
  readonly video: VideoPlan | undefined
  readonly audio: AudioPlan | undefined
  /** Maximum bitrate of a re-encoded video. */
  readonly maxBitrate: number
}

/** Maximum dimensions of a re-encoded video, portrait or landscape. */
const LONG_SIDE = 1920
const SHORT_SIDE = 1080
/** Maximum frames per second of a re-encoded video. */
export const MAX_RATE = 60
/** Maximum seconds of a silent video that is shown as a looping animation. */
const MAX_LOOP = 60
/** Limits of a re-encoded video: total bits, and bits per second. */
const MAX_BITS = 8 * 2 * LIMITS.media.motionBytes
const MAX_BITRATE = 5_000_000
const MIN_BITRATE = 300_000
const MAX_SAMPLE_RATE = 48_000

const rateOf = (rate: Ratio | undefined): number => (rate ? rate.numerator / rate.denominator : 0)

/** The frames of a stream, as far as the file tells. */
const framesOf = ({ frames, rate }: VideoStream, duration: number): number => frames ?? Math.round(rateOf(rate) * duration)

/** The fault of a file outside the limits, for people (spec, Other constants 6; beyond-the-spec 1.2). */
export const motionFault = ({ video, duration }: Probe, { isPicture }: { isPicture: boolean }): string | undefined => {
  if (!video) return undefined
  const { width, height, rate } = video
  const { motionPixels, animationPixels, motionFramesPerSecond, motionFrames } = LIMITS.media
  if (width < 1 || height < 1 || width * height > motionPixels) return `File is too large: ${width}x${height} videos are not supported`
  if (isPicture && width * height > animationPixels) return `File is too large: ${width}x${height} GIF files are not supported`
  // The rate of an animated picture is arbitrary, and is reduced when re-encoded.
  if (!isPicture && rateOf(rate) > motionFramesPerSecond)
    return `File is too large: ${Math.round(rateOf(rate))} frames a second are not supported`
  return framesOf(video, duration) > motionFrames ? `File is too large: more than ${motionFrames} frames are not supported` : undefined
}

const even = (length: number) => Math.max(2, 2 * Math.round(length / 2))

/** The size of a re-encoded video: the same aspect ratio within 1920 × 1080 or 1080 × 1920, with even sides as H.264 requires. */
export const fittingSize = ({ width, height }: Size): Size => {
  const box = width >= height ? { width: LONG_SIDE, height: SHORT_SIDE } : { width: SHORT_SIDE, height: LONG_SIDE }
  const scale = Math.min(1, box.width / width, box.height / height)
  return { width: Math.min(box.width, even(width * scale)), height: Math.min(box.height, even(height * scale)) }
}

const isPlayable = ({ codec, pixelFormat, isPlain, isInterlaced, hdr, width, height }: VideoStream) =>
  codec === 'h264' &&
  ['yuv420p', 'yuvj420p'].includes(pixelFormat) &&
  isPlain &&
  !isInterlaced &&
  !hdr &&
  width % 2 === 0 &&
  height % 2 === 0

/** Animated picture formats, with a display time per frame. */
const PICTURES = ['gif', 'apng', 'webp']
/** Maximum seconds of an animation whose frames are repeated: at the highest rate that gives the maximum of frames. */
const MAX_REPEATED = LIMITS.media.motionFrames / MAX_RATE

const videoPlan = (video: VideoStream, duration: number): VideoPlan => {
  const isCopied = isPlayable(video)
  const { width, height } = isCopied ? video : fittingSize(video)
  const maxRate = !isCopied && (video.rate === undefined || rateOf(video.rate) > MAX_RATE) ? MAX_RATE : undefined
  const repeatsFrames = PICTURES.includes(video.codec) && duration > 0 && duration <= MAX_REPEATED
  return { index: video.index, isCopied, isInterlaced: video.isInterlaced, hdr: video.hdr, width, height, maxRate, repeatsFrames }
}

const audioPlan = (audio: AudioStream, copied: readonly string[]): AudioPlan => ({
  index: audio.index,
  isCopied: copied.includes(audio.codec),
  channels: Math.min(2, audio.channels),
  sampleRate: Math.min(MAX_SAMPLE_RATE, audio.sampleRate || MAX_SAMPLE_RATE),
})

/** Audio codecs that browsers play, and the extensions of their files. */
const SOUND_FILES: Readonly<Record<string, Extension>> = { mp3: 'mp3', aac: 'm4a', flac: 'flac' }

/** The bitrate at which a video of this many seconds fits into twice the maximum upload. */
const bitrateFor = (duration: number): number => Math.round(Math.min(MAX_BITRATE, Math.max(MIN_BITRATE, MAX_BITS / Math.max(1, duration))))

/**
 * Plans how to make a file playable in every browser: playable streams are copied, others re-encoded. A short video without audio becomes a
 * gifv (beyond-the-spec 1.1, MediaAttachment).
 */
export const planOf = ({ video, audio, duration }: Probe): Plan => {
  const maxBitrate = bitrateFor(duration)
  if (!video) {
    const sound = audio && audioPlan(audio, Object.keys(SOUND_FILES))
    const extension = sound?.isCopied ? (SOUND_FILES[audio!.codec] ?? 'm4a') : 'm4a'
    return { type: 'audio', extension, video: undefined, audio: sound, maxBitrate }
  }
  const type = !audio && duration <= MAX_LOOP ? 'gifv' : 'video'
  return { type, extension: 'mp4', video: videoPlan(video, duration), audio: audio && audioPlan(audio, ['aac']), maxBitrate }
}

const CHANNELS: Readonly<Record<number, string>> = { 1: 'mono', 2: 'stereo' }

const encodeOf = ({ codec, profile }: AudioStream) => (profile && profile !== 'unknown' ? `${codec} (${profile})` : codec)

/** The metadata of a video or audio file (beyond-the-spec 1.1, MediaAttachment). */
export const metadataOf = ({ duration, bitrate, video, audio }: Probe): MotionMetadata => ({
  duration,
  bitrate: Math.round(bitrate),
  frameRate: video?.rate ? `${video.rate.numerator}/${video.rate.denominator}` : '',
  audioEncode: audio ? encodeOf(audio) : '',
  audioBitrate: audio ? `${audio.sampleRate} Hz` : '',
  audioChannels: audio ? audio.layout || CHANNELS[audio.channels] || `${audio.channels} channels` : '',
})

/** Whether the result is much shorter than the file claims: the file was truncated. A file without a duration claims nothing. */
export const isCut = (claimed: Probe, made: Probe): boolean => made.duration < claimed.duration * 0.9 - 1
