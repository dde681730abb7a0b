/** A fraction, such as a frame rate or an aspect ratio. */
export type Ratio = { readonly numerator: number; readonly denominator: number }

/** Transfer functions of high dynamic range, PQ and HLG, by ffmpeg's names (ITU-R BT.2100). */
const HDR_TRANSFERS = ['smpte2084', 'arib-std-b67'] as const
export type HdrTransfer = (typeof HDR_TRANSFERS)[number]

/** A video stream, from ffprobe's output. */
export type VideoStream = {
  readonly index: number
  readonly codec: string
  readonly pixelFormat: string
  /** The displayed size: upright, with square pixels. */
  readonly width: number
  readonly height: number
  /** Whether it is stored at the displayed size. */
  readonly isPlain: boolean
  readonly isInterlaced: boolean
  /** The HDR transfer function; undefined without HDR. */
  readonly hdr: HdrTransfer | undefined
  /** Average frames per second; undefined if the file does not tell. */
  readonly rate: Ratio | undefined
  /** The number of frames in the file. */
  readonly frames: number | undefined
  readonly bitrate: number | undefined
}

/** An audio stream, from ffprobe's output. */
export type AudioStream = {
  readonly index: number
  readonly codec: string
  readonly profile: string
  readonly sampleRate: number
  readonly channels: number
  readonly layout: string
  readonly bitrate: number | undefined
}

/** The content of a file. */
export type Probe = {
  /** In seconds; 0 if the file does not tell. */
  readonly duration: number
  /** In bits per second. */
  readonly bitrate: number
  readonly video: VideoStream | undefined
  readonly audio: AudioStream | undefined
  /** The cover of an audio file. */
  readonly cover: { readonly index: number } | undefined
}

/** An untrusted object of ffprobe's output. */
export type Fields = Record<string, unknown>

export const listOf = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : []
export const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 64) : '')

/** A non-negative number, written as text or number. */
export const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === 'number' ? value : typeof value === 'string' && value !== '' ? Number(value) : Number.NaN
  return Number.isFinite(number) && number >= 0 ? number : undefined
}

/** A positive fraction, written as 30000/1001 or 16:9. */
const ratioOf = (value: unknown): Ratio | undefined => {
  const [, numerator = '', denominator = ''] = /^(\d{1,10})[/:](\d{1,10})$/.exec(textOf(value)) ?? []
  return Number(numerator) > 0 && Number(denominator) > 0 ? { numerator: Number(numerator), denominator: Number(denominator) } : undefined
}

/** The rotation of a stream, in degrees. */
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

/** The fields of a JSON object; none if it is not one. */
export const jsonOf = (output: string): Fields => {
  try {
    return fieldsOf(JSON.parse(output))
  } catch {
    return {}
  }
}

/** Parses the output of ffprobe (-of json -show_format -show_streams), without trusting it; undefined if it found nothing. */
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
