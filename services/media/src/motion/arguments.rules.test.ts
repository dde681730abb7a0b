import { LIMITS } from '@rookery/contracts/limits'
import { describe, expect, test } from 'vitest'
import { convertArguments, coverArguments, layoutArguments, pictureArguments, posterArguments, probeArguments } from './arguments.rules.ts'
import { type HeifLayout, MAX_TILES, type Turn } from './heif.rules.ts'
import type { Plan } from './motion.rules.ts'

const plan: Plan = {
  type: 'video',
  extension: 'mp4',
  video: { index: 0, isCopied: false, isInterlaced: true, hdr: undefined, width: 640, height: 360, maxRate: 60, repeatsFrames: false },
  audio: { index: 1, isCopied: false, channels: 1, sampleRate: 44_100 },
  maxBitrate: 1_000_000,
}
const convert = (given: Partial<Plan> = {}, { mapsTones = true } = {}) =>
  convertArguments('received', 'mov', { plan: { ...plan, ...given }, target: 'made.mp4', mapsTones })
const layout: HeifLayout = {
  tiles: [
    { index: 3, x: 0, y: 0 },
    { index: 4, x: 512, y: 0 },
  ],
  width: 1000,
  height: 500,
  left: 4,
  top: 2,
}
const picture = (given: Partial<HeifLayout> = {}, turns: Turn[] = []) =>
  pictureArguments('received', { layout: { ...layout, ...given }, turns, target: 'picture.jpg' })
const after = (args: readonly string[], name: string) => args[args.indexOf(name) + 1]

const ALL: [string, readonly string[]][] = [
  ['looks into a file', probeArguments('received', 'mov')],
  ['looks for a frame', posterArguments('received', 'mov', { onlyKeyframes: true, withBlack: false, index: 0, target: 'poster.jpg' })],
  ['takes the picture of a recording', coverArguments('received', 'mov', { index: 2, target: 'cover.jpg' })],
  ['re-encodes a file', convert()],
  ['finds out how a picture is put together', layoutArguments('received')],
  ['puts a picture together', picture()],
]

describe.each(ALL)('what %s', (_, args) => {
  test('reads one file by one demuxer, by listed decoders and by no other way', () => {
    const input = args.indexOf('-i')
    expect(args[input + 1]).toBe('file:received')
    expect(args.filter((each) => each === '-i')).toHaveLength(1)
    const before = args.slice(0, input)
    expect(after(before, '-f')).toBe('mov')
    expect(after(before, '-format_whitelist')).toBe('mov')
    expect(after(before, '-protocol_whitelist')).toBe('file,pipe')
    const decoders = after(before, '-codec_whitelist')!.split(',')
    expect(decoders).toEqual(expect.arrayContaining(['h264', 'hevc', 'aac']))
    for (const refused of ['ass', 'srt', 'subrip', 'ansi', 'mov_text', 'exr', 'svq3', 'cinepak']) expect(decoders).not.toContain(refused)
  })

  test('bounds streams, pixels, threads and blocks of memory, before it reads', () => {
    const before = args.slice(0, args.indexOf('-i'))
    const isPicture = before.includes('-noautorotate') || after(before, '-show_entries')?.includes('stream_group')
    const { imagePixels, motionPixels } = LIMITS.media
    expect(Number(after(before, '-max_alloc'))).toBe(512 * 1024 * 1024)
    expect(Number(after(before, '-max_streams'))).toBe(isPicture ? 2 * MAX_TILES : 100)
    expect(Number(after(before, '-threads'))).toBe(isPicture ? 1 : 2)
    expect(Number(after(before, '-max_pixels'))).toBe(isPicture || before.includes('-show_entries') ? imagePixels : motionPixels)
  })

  test('asks for nothing on a terminal, and writes over one file alone', () => {
    if (args.includes('-show_entries')) return expect(args.at(-2)).toBe('-i')
    expect(args).toContain('-nostdin')
    expect(args.at(-2)).toBe('-y')
    expect(args.at(-1)).toMatch(/^file:\w+\.(?:jpg|mp4)$/)
  })
})

describe('a film', () => {
  test('is re-encoded in the size and rate of its plan', () => {
    const args = convert()
    expect(after(args, '-vf')).toBe('yadif,fps=60,scale=640:360,setsar=1,format=yuv420p')
    const repeated = { ...plan.video!, isInterlaced: false, repeatsFrames: true }
    expect(after(convert({ video: repeated }), '-vf')).toBe('scale=640:360,setsar=1,format=yuv420p,fps=fps=60')
    const slow = { ...repeated, maxRate: undefined }
    expect(after(convert({ video: slow }), '-vf')).toBe('scale=640:360,setsar=1,format=yuv420p,fps=fps=min(source_fps\\,60)')
    expect([after(args, '-c:v'), after(args, '-maxrate'), after(args, '-frames:v')]).toEqual(['libx264', '1000000', '36001'])
    expect([after(args, '-c:a'), after(args, '-ac'), after(args, '-ar')]).toEqual(['aac', '1', '44100'])
    expect(after(args, '-movflags')).toBe('+faststart')
  })

  test('is passed on stream by stream', () => {
    const args = convert({ video: { ...plan.video!, isCopied: true }, audio: { ...plan.audio!, isCopied: true } })
    expect([after(args, '-c:v'), after(args, '-c:a')]).toEqual(['copy', 'copy'])
    expect(args).not.toContain('-vf')
  })

  test('has nothing of what it said of itself, nor subtitles, chapters or data', () => {
    const args = convert()
    expect([after(args, '-map_metadata'), after(args, '-map_chapters')]).toEqual(['-1', '-1'])
    expect(args).toEqual(expect.arrayContaining(['-sn', '-dn']))
    expect(['-fflags', '-flags:v', '-flags:a'].map((name) => after(args, name))).toEqual(['+bitexact', '+bitexact', '+bitexact'])
    expect(args.indexOf('-map_metadata')).toBeGreaterThan(args.indexOf('-i'))
  })

  test.each([
    ['gif', true],
    ['apng', true],
    ['mov', false],
  ] as const)('of the format %s has its frames counted: %s', (demuxer, expected) =>
    expect(probeArguments('received', demuxer).includes('-count_packets')).toBe(expected),
  )

  test('is asked for no texts of its own', () => {
    const asked = after(probeArguments('received', 'mov'), '-show_entries')
    expect(asked?.match(/\w*tags=[^:]*/g)).toEqual(['stream_tags=rotate'])
    expect(asked).not.toMatch(/format_tags|chapter|title|comment/)
  })

  test('that is sound has one bit rate with one channel and another with more', () => {
    const rate = (channels: number) => after(convert({ audio: { ...plan.audio!, channels } }), '-b:a')
    expect([1, 2].map(rate)).toEqual(['96k', '128k'])
  })

  test.each([
    ['m4a', ['-movflags', '+faststart', '-f', 'ipod']],
    ['flac', ['-f', 'flac']],
    // The encoder's name and the time would be in these tags.
    ['mp3', ['-f', 'mp3', '-id3v2_version', '0', '-write_id3v1', '0']],
  ] as const)('is written as %s', (extension, muxer) => {
    const args = convert({ extension, video: undefined })
    expect(args.slice(-2 - muxer.length, -2)).toEqual(muxer)
  })

  test('is searched for its poster for ten seconds, among frames that need no others if so wished', () => {
    const of = (onlyKeyframes: boolean) =>
      posterArguments('received', 'mov', { onlyKeyframes, withBlack: true, index: 0, target: 'poster.jpg' })
    const before = of(true).slice(0, of(true).indexOf('-i'))
    expect([after(before, '-t'), after(before, '-skip_frame')]).toEqual(['10', 'nokey'])
    expect(of(false)).not.toContain('-skip_frame')
    expect([of(true), of(false)].map((args) => after(args, '-vf')?.startsWith('fps=4,'))).toEqual([false, true])
    expect(after(of(true), '-vf')).not.toContain('zscale')
  })
})

test('sound is written without pictures, and a moving picture without sound', () => {
  expect(convert({ video: undefined })).toContain('-vn')
  expect(convert({ audio: undefined })).toContain('-an')
})

test('black frames are passed over unless nothing else is left', () => {
  const filters = (withBlack: boolean) =>
    after(posterArguments('received', 'mov', { onlyKeyframes: false, withBlack, index: 0, target: 'poster.jpg' }), '-vf')
  expect(filters(false)).toContain('signalstats.YAVG')
  expect(filters(true)).not.toContain('signalstats')
})

test('a film of a high dynamic range is brought into that of ordinary screens, where there are the filters for it', () => {
  const video = { ...plan.video!, hdr: 'smpte2084' as const }
  expect(after(convert({ video }), '-vf')).toMatch(/scale=640:360,zscale=tin=smpte2084:.*,tonemap=.*,setsar=1,format=yuv420p$/)
  expect(after(convert({ video }, { mapsTones: false }), '-vf')).not.toContain('zscale')
  expect(after(convert(), '-vf')).not.toContain('zscale')
  const search = { onlyKeyframes: true, withBlack: true, index: 0, target: 'poster.jpg' }
  expect(after(posterArguments('received', 'mov', { ...search, hdr: 'arib-std-b67' }), '-vf')).toContain('zscale=tin=arib-std-b67:')
})

test.each<[string, string[], string]>([
  ['tiles side by side', picture(), '[0:3][0:4]xstack=inputs=2:layout=0_0|512_0,crop=1000:500:4:2:exact=1,format=yuvj420p[whole]'],
  ['one stream', picture({ tiles: [{ index: 1, x: 0, y: 0 }] }), '[0:1]crop=1000:500:4:2:exact=1,format=yuvj420p[whole]'],
  [
    'turned in the order of the file',
    picture({ tiles: [{ index: 0, x: 0, y: 0 }] }, ['left', 'mirrored']),
    '[0:0]crop=1000:500:4:2:exact=1,transpose=cclock,hflip,format=yuvj420p[whole]',
  ],
])('a picture is put together of %s', (_, args, graph) => {
  expect(after(args, '-filter_complex')).toBe(graph)
  expect(args.indexOf('-noautorotate')).toBeLessThan(args.indexOf('-i'))
})
