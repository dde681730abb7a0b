import { LIMITS } from '@rookery/contracts/limits'
import type { Demuxer } from '../processing/index.ts'
import { type HeifLayout, MAX_TILES, type Turn } from './heif.rules.ts'
import { type AudioPlan, MAX_RATE, type Plan, type VideoPlan } from './motion.rules.ts'
import type { HdrTransfer } from './probe.rules.ts'

/** Allowed decoders, by their names in ffmpeg. */
const DECODERS = [
  ...['h264', 'hevc', 'vp8', 'vp9', 'libvpx', 'libvpx-vp9', 'av1', 'libdav1d', 'libaom-av1', 'theora', 'gif', 'apng', 'mjpeg', 'png'],
  // Formats of older phones and cameras, of Windows, and of editors.
  ...['mpeg4', 'h263', 'wmv1', 'wmv2', 'wmv3', 'vc1', 'prores'],
  ...['aac', 'mp3', 'mp3float', 'opus', 'libopus', 'vorbis', 'libvorbis', 'flac', 'alac', 'ac3', 'eac3', 'amrnb', 'amrwb'],
  ...['libopencore_amrnb', 'libopencore_amrwb', 'wmav1', 'wmav2', 'wmapro', 'adpcm_ms', 'adpcm_ima_wav', 'adpcm_ima_qt'],
  ...['pcm_u8', 'pcm_s8', 'pcm_s16le', 'pcm_s16be', 'pcm_s24le', 'pcm_s24be', 'pcm_s32le', 'pcm_s32be', 'pcm_f32le', 'pcm_f32be'],
  ...['pcm_f64le', 'pcm_f64be', 'pcm_alaw', 'pcm_mulaw'],
]

const MAX_STREAMS = 100
const MAX_BLOCK = 512 * 1024 * 1024
/** Threads per decoder and encoder. */
const THREADS = 2

/** The arguments of an input: demuxer and decoders are fixed, and it cannot refer to other files or URLs. */
const input = (
  file: string,
  demuxer: Demuxer,
  { maxPixels = LIMITS.media.motionPixels as number, maxStreams = MAX_STREAMS, threads = THREADS } = {},
): string[] => [
  ...['-protocol_whitelist', 'file,pipe', '-format_whitelist', demuxer, '-codec_whitelist', DECODERS.join(',')],
  ...['-max_streams', String(maxStreams), '-max_pixels', String(maxPixels), '-threads', String(threads)],
  ...['-f', demuxer, '-i', `file:${file}`],
]

const QUIET = ['-hide_banner', '-nostdin', '-loglevel', 'error', '-max_alloc', String(MAX_BLOCK)]
/** Removes all metadata of the file, its author and location included. */
const ANONYMOUS = [
  '-map_metadata',
  '-1',
  '-map_chapters',
  '-1',
  '-sn',
  '-dn',
  '-fflags',
  '+bitexact',
  '-flags:v',
  '+bitexact',
  '-flags:a',
  '+bitexact',
]

/** The fields requested from ffprobe: no free texts, which could be endless. */
const SHOWN = [
  'format=duration,bit_rate',
  'stream=index,codec_name,codec_type,profile,width,height,sample_aspect_ratio,pix_fmt,color_transfer,field_order,avg_frame_rate,r_frame_rate,nb_frames,nb_read_packets,bit_rate,duration,sample_rate,channels,channel_layout',
  'stream_disposition=attached_pic',
  'stream_tags=rotate',
  'stream_side_data=rotation',
].join(':')

/** Arguments of ffprobe for the content of a file. Of animations, two packets are read. */
export const probeArguments = (file: string, demuxer: Demuxer): string[] => [
  ...['-hide_banner', '-loglevel', 'error', '-max_alloc', String(MAX_BLOCK), '-of', 'json', '-show_entries', SHOWN],
  ...(demuxer === 'gif' || demuxer === 'apng' ? ['-count_packets'] : []),
  // The image limit, so that the error for a video that is too large can name its size.
  ...input(file, demuxer, { maxPixels: LIMITS.media.imagePixels }),
]

/** Filters for tone mapping, which not every ffmpeg has. */
export const TONE_FILTERS = ['zscale', 'tonemap'] as const

/** Maps PQ or HLG in the colours of BT.2020, the default where a file names only one of them, to BT.709 with white at 100 nits. */
const toneMapped = (transfer: HdrTransfer): string[] => [
  `zscale=tin=${transfer}:pin=bt2020:min=bt2020nc:t=linear:npl=100`,
  'format=gbrpf32le',
  'zscale=p=bt709',
  'tonemap=hable:desat=0',
  'zscale=t=bt709:m=bt709:r=tv',
]

const videoArguments = (
  { index, isCopied, isInterlaced, hdr, width, height, maxRate, repeatsFrames }: VideoPlan,
  { maxBitrate, mapsTones }: { maxBitrate: number; mapsTones: boolean },
): string[] => {
  const map = ['-map', `0:${index}`]
  if (isCopied) return [...map, '-c:v', 'copy']
  const filters = [
    ...(isInterlaced ? ['yadif'] : []),
    ...(maxRate && !repeatsFrames ? [`fps=${maxRate}`] : []),
    `scale=${width}:${height}`,
    ...(hdr && mapsTones ? toneMapped(hdr) : []),
    'setsar=1',
    'format=yuv420p',
    // Last, so that finished frames are repeated, which takes no more memory.
    ...(repeatsFrames ? [`fps=fps=${maxRate ?? `min(source_fps\\,${MAX_RATE})`}`] : []),
  ]
  return [
    ...[...map, '-vf', filters.join(','), '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-threads:v', String(THREADS)],
    ...['-maxrate', String(maxBitrate), '-bufsize', String(2 * maxBitrate), '-frames:v', String(LIMITS.media.motionFrames + 1)],
  ]
}

const audioArguments = ({ index, isCopied, channels, sampleRate }: AudioPlan): string[] => [
  ...['-map', `0:${index}`],
  ...(isCopied
    ? ['-c:a', 'copy']
    : ['-c:a', 'aac', '-b:a', channels > 1 ? '128k' : '96k', '-ac', String(channels), '-ar', String(sampleRate)]),
]

const MUXERS: Readonly<Record<string, string[]>> = {
  // Puts the index at the front, so that players can start before the whole file has arrived.
  mp4: ['-movflags', '+faststart', '-f', 'mp4'],
  m4a: ['-movflags', '+faststart', '-f', 'ipod'],
  mp3: ['-f', 'mp3', '-id3v2_version', '0', '-write_id3v1', '0'],
  flac: ['-f', 'flac'],
}

type Conversion = { plan: Plan; target: string; mapsTones: boolean }

/** Arguments of ffmpeg to convert a file as planned. */
export const convertArguments = (file: string, demuxer: Demuxer, { plan, target, mapsTones }: Conversion): string[] => [
  ...[...QUIET, ...input(file, demuxer)],
  ...(plan.video ? videoArguments(plan.video, { maxBitrate: plan.maxBitrate, mapsTones }) : ['-vn']),
  ...(plan.audio ? audioArguments(plan.audio) : ['-an']),
  ...[...ANONYMOUS, '-filter_threads', '1', ...(MUXERS[plan.extension] ?? []), '-y', `file:${target}`],
]

/** How to find the poster frame of a video: among keyframes only or all frames, black ones included or not. */
export type PosterSearch = { readonly onlyKeyframes: boolean; readonly withBlack: boolean }

/** Seconds of a video that are searched for a poster frame. */
const SEARCHED = 10
/** Minimum average brightness of a frame that is not black, of 255 where black is 16. */
const DARKEST = 28
/** Longer side of a poster, in pixels, before it is scaled to a preview. */
const POSTER_SIDE = 960

type Poster = PosterSearch & { index: number; target: string /** Where tones are mapped. */; hdr?: HdrTransfer | undefined }

/** Arguments of ffmpeg that write the most representative frame of the first seconds as a JPEG. */
export const posterArguments = (file: string, demuxer: Demuxer, poster: Poster): string[] => {
  const fit = `scale=w='min(${POSTER_SIDE},iw*sar)':h='min(${POSTER_SIDE},ih)':force_original_aspect_ratio=decrease`
  const filters = [
    ...(poster.onlyKeyframes ? [] : ['fps=4']),
    ...[fit, ...(poster.hdr ? toneMapped(poster.hdr) : []), 'setsar=1', 'format=yuv420p'],
    ...(poster.withBlack ? [] : ['signalstats', `metadata=mode=select:key=lavfi.signalstats.YAVG:value=${DARKEST}:function=greater`]),
    ...['thumbnail=n=40', 'format=yuvj420p'],
  ]
  return [
    ...QUIET,
    ...(poster.onlyKeyframes ? ['-skip_frame', 'nokey'] : []),
    ...[
      '-t',
      String(SEARCHED),
      ...input(file, demuxer),
      '-map',
      `0:${poster.index}`,
      '-an',
      '-vf',
      filters.join(','),
      '-filter_threads',
      '1',
    ],
    ...['-frames:v', '1', '-q:v', '2', '-f', 'image2', '-update', '1', '-y', `file:${poster.target}`],
  ]
}

/** Arguments of ffmpeg that write the cover of an audio file as a JPEG. */
export const coverArguments = (file: string, demuxer: Demuxer, { index, target }: { index: number; target: string }): string[] => [
  ...[...QUIET, ...input(file, demuxer), '-map', `0:${index}`, '-an', '-frames:v', '1', '-pix_fmt', 'yuvj420p', '-q:v', '2'],
  ...['-f', 'image2', '-update', '1', '-y', `file:${target}`],
]

/** A tiled picture has a stream per tile, and phones store further pictures beside it. One thread per stream suffices. */
const PICTURE = { maxPixels: LIMITS.media.imagePixels, maxStreams: 2 * MAX_TILES, threads: 1 }

const SHOWN_OF_PICTURE = [
  'stream=index,width,height',
  'stream_disposition=default',
  'stream_group=type',
  'stream_group_disposition=default',
  'stream_group_component=width,height,horizontal_offset,vertical_offset',
  'subcomponent=stream_index,tile_horizontal_offset,tile_vertical_offset',
].join(':')

/** Arguments of ffprobe, 7.1 or newer, for the layout of a HEIF picture. */
export const layoutArguments = (file: string): string[] => [
  ...['-hide_banner', '-loglevel', 'error', '-max_alloc', String(MAX_BLOCK), '-of', 'json', '-show_entries', SHOWN_OF_PICTURE],
  ...input(file, 'mov', PICTURE),
]

const TURN_FILTERS: Readonly<Record<Turn, string>> = {
  left: 'transpose=cclock',
  half: 'hflip,vflip',
  right: 'transpose=clock',
  mirrored: 'hflip',
  'upside-down': 'vflip',
}

/** Arguments of ffmpeg that write a HEIF picture, assembled and upright, as a JPEG. */
export const pictureArguments = (
  file: string,
  { layout, turns, target }: { layout: HeifLayout; turns: readonly Turn[]; target: string },
): string[] => {
  const { tiles, width, height, left, top } = layout
  const places = tiles.map(({ x, y }) => `${x}_${y}`).join('|')
  const filters = [
    ...(tiles.length > 1 ? [`xstack=inputs=${tiles.length}:layout=${places}`] : []),
    `crop=${width}:${height}:${left}:${top}:exact=1`,
    ...turns.map((turn) => TURN_FILTERS[turn]),
    'format=yuvj420p',
  ]
  const graph = `${tiles.map(({ index }) => `[0:${index}]`).join('')}${filters.join(',')}[whole]`
  return [
    // Rotated explicitly, by the file's own properties.
    ...[...QUIET, '-noautorotate', ...input(file, 'mov', PICTURE), '-filter_complex', graph, '-filter_complex_threads', '1'],
    ...['-map', '[whole]', '-frames:v', '1', '-q:v', '2', '-f', 'image2', '-update', '1', '-y', `file:${target}`],
  ]
}
