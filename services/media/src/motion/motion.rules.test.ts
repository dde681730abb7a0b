import { describe, expect, test } from 'vitest'
import { fittingSize, isCut, metadataOf, motionFault, planOf } from './motion.rules.ts'
import type { AudioStream, Probe, VideoStream } from './probe.rules.ts'

const video = (given: Partial<VideoStream> = {}): VideoStream => ({
  index: 0,
  codec: 'h264',
  pixelFormat: 'yuv420p',
  width: 1280,
  height: 720,
  isPlain: true,
  isInterlaced: false,
  hdr: undefined,
  rate: { numerator: 30, denominator: 1 },
  frames: 300,
  bitrate: undefined,
  ...given,
})
const audio = (given: Partial<AudioStream> = {}): AudioStream => ({
  index: 1,
  codec: 'aac',
  profile: 'LC',
  sampleRate: 48_000,
  channels: 2,
  layout: 'stereo',
  bitrate: undefined,
  ...given,
})
const probe = (given: Partial<Probe> = {}): Probe => ({
  duration: 10,
  bitrate: 8000,
  video: video(),
  audio: audio(),
  cover: undefined,
  ...given,
})

describe('a film', () => {
  test.each<[string, Partial<VideoStream>, boolean]>([
    ['of H.264', {}, true],
    ['of full range', { pixelFormat: 'yuvj420p' }, true],
    ['of HEVC', { codec: 'hevc' }, false],
    ['of 10 bit', { pixelFormat: 'yuv420p10le' }, false],
    ['of pixels that are no squares', { isPlain: false }, false],
    ['of fields', { isInterlaced: true }, false],
    ['of a high dynamic range', { hdr: 'arib-std-b67' }, false],
    ['of an odd width', { width: 1279 }, false],
  ])('%s is passed on: %s', (_, given, isCopied) => {
    expect(planOf(probe({ video: video(given) })).video).toMatchObject({ isCopied })
  })

  test.each<[string, Partial<Probe>, string]>([
    ['with sound', {}, 'video'],
    ['without sound', { audio: undefined }, 'gifv'],
    ['of a minute without sound', { audio: undefined, duration: 60 }, 'gifv'],
    ['of more than a minute without sound', { audio: undefined, duration: 60.1 }, 'video'],
    ['that is sound alone', { video: undefined }, 'audio'],
  ])('%s is shown as %s', (_, given, type) => expect(planOf(probe(given)).type).toBe(type))

  test('is re-encoded with sixty frames a second at most', () => {
    const rateOf = (rate: VideoStream['rate']) => planOf(probe({ video: video({ codec: 'vp9', rate }) })).video?.maxRate
    expect(rateOf({ numerator: 60, denominator: 1 })).toBeUndefined()
    expect(rateOf({ numerator: 120, denominator: 1 })).toBe(60)
    expect(rateOf(undefined)).toBe(60)
  })

  test('is given fewer bits the longer it is', () => {
    expect(planOf(probe({ duration: 10 })).maxBitrate).toBe(5_000_000)
    expect(planOf(probe({ duration: 1200 })).maxBitrate).toBe(1_384_120)
    expect(planOf(probe({ duration: 1e9 })).maxBitrate).toBe(300_000)
  })
})

test.each([
  [1920, 1080, 1920, 1080],
  [3840, 2160, 1920, 1080],
  [2160, 3840, 1080, 1920],
  [1000, 1000, 1000, 1000],
  [4000, 1000, 1920, 480],
  [641, 361, 642, 362],
  [1, 1, 2, 2],
  [8000, 2, 1920, 2],
])('%i × %i is re-encoded as %i × %i', (width, height, newWidth, newHeight) => {
  expect(fittingSize({ width, height })).toEqual({ width: newWidth, height: newHeight })
})

describe('sound', () => {
  test.each([
    ['mp3', 'mp3', true],
    ['aac', 'm4a', true],
    ['flac', 'flac', true],
    ['opus', 'm4a', false],
    ['pcm_s16le', 'm4a', false],
    ['wmav2', 'm4a', false],
  ])('of %s is written as %s, passed on: %s', (codec, extension, isCopied) => {
    expect(planOf(probe({ video: undefined, audio: audio({ codec }) }))).toMatchObject({ extension, audio: { isCopied } })
  })

  test('beside pictures is AAC, of two channels and 48,000 samples a second at most', () => {
    const plan = planOf(probe({ audio: audio({ codec: 'mp3', channels: 6, sampleRate: 96_000 }) }))
    expect(plan.audio).toEqual({ index: 1, isCopied: false, channels: 2, sampleRate: 48_000 })
  })
})

test.each<[string, Partial<Probe>, boolean, string | undefined]>([
  ['within the limits', {}, false, undefined],
  ['of sound alone', { video: undefined, duration: 1e6 }, false, undefined],
  ['of 8,294,401 pixels', { video: video({ width: 8_294_401, height: 1 }) }, false, '8294401x1 videos are not supported'],
  ['of no pixels', { video: video({ width: 0 }) }, false, '0x720 videos are not supported'],
  ['of 121 frames a second', { video: video({ rate: { numerator: 121, denominator: 1 } }) }, false, '121 frames a second'],
  ['of a picture of 100 frames a second', { video: video({ rate: { numerator: 1000, denominator: 1 } }) }, true, undefined],
  ['of a large moving picture', { video: video({ width: 1281 }) }, true, '1281x720 GIF files are not supported'],
  ['of 36,001 frames', { video: video({ frames: 36_001 }) }, false, 'more than 36000 frames'],
  ['that lasts too long by its rate', { video: video({ frames: undefined }), duration: 1201 }, false, 'more than 36000 frames'],
])('the fault of a file %s', (_, given, isPicture, fault) => {
  const found = motionFault(probe(given), { isPicture })
  if (fault) expect(found).toContain(fault)
  else expect(found).toBeUndefined()
})

test.each([
  [10, 10, false],
  [10, 8.1, false],
  [10, 7.9, true],
  [0, 3, false],
  [1, 0.2, false],
  [3600, 60, true],
])('of %f seconds %f came out, cut: %s', (claimed, made, expected) => {
  expect(isCut(probe({ duration: claimed }), probe({ duration: made }))).toBe(expected)
})

test('what is said of a file', () => {
  expect(metadataOf(probe())).toEqual({
    duration: 10,
    bitrate: 8000,
    frameRate: '30/1',
    audioEncode: 'aac (LC)',
    audioBitrate: '48000 Hz',
    audioChannels: 'stereo',
  })
  expect(metadataOf(probe({ audio: undefined, video: undefined }))).toMatchObject({ frameRate: '', audioEncode: '' })
  expect(metadataOf(probe({ audio: audio({ layout: '', channels: 1, profile: 'unknown' }) }))).toMatchObject({
    audioEncode: 'aac',
    audioChannels: 'mono',
  })
})

test.each<[string, Partial<VideoStream>, number, boolean]>([
  ['of a GIF', { codec: 'gif' }, 10, true],
  ['of an animated PNG', { codec: 'apng' }, 10, true],
  ['of a GIF of ten minutes', { codec: 'gif' }, 600, true],
  ['of a longer one, whose frames would be too many', { codec: 'gif' }, 601, false],
  ['of one that does not say how long it is', { codec: 'gif' }, 0, false],
  ['of a film', { codec: 'vp9' }, 10, false],
])('the frames %s are repeated, or not, for as long as each is shown', (_, given, duration, expected) => {
  expect(planOf(probe({ video: video(given), duration })).video?.repeatsFrames).toBe(expected)
})
