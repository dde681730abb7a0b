/** A fraction, as a rate or an aspect is written. */
export type Ratio = { readonly numerator: number; readonly denominator: number }

/** Transfer functions of a high dynamic range: PQ and HLG, as ffmpeg names them (ITU-R BT.2100). */
const HDR_TRANSFERS = ['smpte2084', 'arib-std-b67'] as const
export type HdrTransfer = (typeof HDR_TRANSFERS)[number]

/** A stream of pictures as ffprobe finds it. */
export type VideoStream = {
  readonly index: number
  readonly codec: string
  readonly pixelFormat: string
  /** As people see it: upright, with square pixels. */
  readonly width: number
  readonly height: number
  /** Whether it is stored just so. */
  readonly isPlain: boolean
  readonly isInterlaced: boolean
  /** How brightness is written in films of a high dynamic range; undefined for all others. */
  readonly hdr: HdrTransfer | undefined
  /** Frames in a second, on average; undefined where the file does not say. */
  readonly rate: Ratio | undefined
  /** Frames as the file counts them. */
  readonly frames: number | undefined
  readonly bitrate: number | undefined
}

/** A stream of sound as ffprobe finds it. */
export type AudioStream = {
  readonly index: number
  readonly codec: string
  readonly profile: string
  readonly sampleRate: number
  readonly channels: number
  readonly layout: string
  readonly bitrate: number | undefined
}

/** What is in a file. */
export type Probe = {
  /** Seconds; 0 where the file does not say. */
  readonly duration: number
  /** Bits a second. */
  readonly bitrate: number
  readonly video: VideoStream | undefined
  readonly audio: AudioStream | undefined
  /** The picture that a recording comes with. */
  readonly cover: { readonly index: number } | undefined
}

/** What ffprobe wrote of one thing, nothing of it believed. */
export type Fields = Record<string, unknown>

export const listOf = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : []
export const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 64) : '')

/** A number of at least 0, written as text or number. */
export const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === 'number' ? value : typeof value === 'string' && value !== '' ? Number(value) : Number.NaN
  return Number.isFinite(number) && number >= 0 ? number : undefined
}

/** A fraction above 0, written as 30000/1001 or 16:9. */
const ratioOf = (value: unknown): Ratio | undefined => {
  const [, numerator = '', denominator = ''] = /^(\d{1,10})[/:](\d{1,10})$/.exec(textOf(value)) ?? []
  return Number(numerator) > 0 && Number(denominator) > 0 ? { numerator: Number(numerator), denominator: Number(denominator) } : undefined
}

/** Degrees by which a picture is turned when it is shown. */
const turnOf = (stream: Fields): number => {
  const sides = listOf(stream['side_data_list']).map((side) => side['rotation'])
  const turned = sides.find((each) => each !== undefined) ?? fieldsOf(stream['tags'])['rotate'] ?? 0
  return Number(turned) || 0
}

const videoOf = (stream: Fields): VideoStream => {
  const [width, height] = [numberOf(stream['width']) ?? 0, numberOf(stream['height']) ?? 0]
  const aspect = ratioOf(stream['sample_aspect_ratio']) ?? { numerator: 1, denominator: 1 }
  const shown = Math.round((width * aspect.numerator) / aspect.denominator)
  const isLying = Math.abs(turnOf(stream)) % 180 === 90
  const order = textOf(stream['field_order'])
  return {
    index: numberOf(stream['index']) ?? 0,
    codec: textOf(stream['codec_name']),
    pixelFormat: textOf(stream['pix_fmt']),
    width: isLying ? height : shown,
    height: isLying ? shown : height,
    isPlain: shown === width,
    isInterlaced: ['tt', 'bb', 'tb', 'bt'].includes(order),
    hdr: HDR_TRANSFERS.find((transfer) => transfer === stream['color_transfer']),
    rate: ratioOf(stream['avg_frame_rate']) ?? ratioOf(stream['r_frame_rate']),
    frames: numberOf(stream['nb_frames']) ?? numberOf(stream['nb_read_packets']),
    bitrate: numberOf(stream['bit_rate']),
  }
}

const audioOf = (stream: Fields): AudioStream => ({
  index: numberOf(stream['index']) ?? 0,
  codec: textOf(stream['codec_name']),
  profile: textOf(stream['profile']),
  sampleRate: numberOf(stream['sample_rate']) ?? 0,
  channels: numberOf(stream['channels']) ?? 0,
  layout: textOf(stream['channel_layout']),
  bitrate: numberOf(stream['bit_rate']),
})

const isCover = (stream: Fields) => fieldsOf(stream['disposition'])['attached_pic'] === 1
const isUsable = (stream: Fields) => textOf(stream['codec_name']) !== ''

/** The fields of a JSON object; none where it is no such thing. */
export const jsonOf = (output: string): Fields => {
  try {
    return fieldsOf(JSON.parse(output))
  } catch {
    return {}
  }
}

/** Reads the output of ffprobe (-of json -show_format -show_streams), trusting nothing in it; undefined when it found nothing. */
export const probeOf = (output: string): Probe | undefined => {
  const found = jsonOf(output)
  const streams = listOf(found['streams']).filter(isUsable)
  const format = fieldsOf(found['format'])
  const ofKind = (kind: string) => streams.filter((stream) => stream['codec_type'] === kind)
  const video = ofKind('video').find((stream) => !isCover(stream) && (numberOf(stream['width']) ?? 0) > 0)
  const audio = ofKind('audio').find((stream) => (numberOf(stream['channels']) ?? 0) > 0)
  const cover = ofKind('video').find(isCover)
  if (!video && !audio) return undefined
  const longest = Math.max(0, ...[video, audio].map((stream) => numberOf(stream?.['duration']) ?? 0))
  return {
    duration: numberOf(format['duration']) ?? longest,
    bitrate: numberOf(format['bit_rate']) ?? 0,
    video: video && videoOf(video),
    audio: audio && audioOf(audio),
    cover: cover && { index: numberOf(cover['index']) ?? 0 },
  }
}
