import { expect, test } from 'vitest'
import { probeOf } from './probe.rules.ts'

const video = {
  index: 0,
  codec_type: 'video',
  codec_name: 'h264',
  pix_fmt: 'yuv420p',
  width: 64,
  height: 48,
  avg_frame_rate: '30000/1001',
  nb_frames: '60',
}
const audio = {
  index: 1,
  codec_type: 'audio',
  codec_name: 'aac',
  profile: 'LC',
  sample_rate: '44100',
  channels: 2,
  channel_layout: 'stereo',
}
const written = (streams: object[], format: object = { duration: '2.002', bit_rate: '9000' }) => JSON.stringify({ streams, format })

test.each<[string, object, object]>([
  ['as it is stored', {}, { width: 64, height: 48, isPlain: true }],
  ['upright when it is turned by its side data', { side_data_list: [{ rotation: -90 }] }, { width: 48, height: 64 }],
  ['upright when it is turned by its tag', { tags: { rotate: '270' } }, { width: 48, height: 64 }],
  ['lying when it stands on its head', { tags: { rotate: '180' } }, { width: 64, height: 48 }],
  ['with square pixels', { sample_aspect_ratio: '4:3' }, { width: 85, height: 48, isPlain: false }],
  ['as it is stored when its aspect is nonsense', { sample_aspect_ratio: '0:1' }, { width: 64, isPlain: true }],
  ['of fields as interlaced', { field_order: 'tt' }, { isInterlaced: true }],
  ['of PQ as of a high dynamic range', { color_transfer: 'smpte2084' }, { hdr: 'smpte2084' }],
  ['of ordinary screens as of none', { color_transfer: 'bt709' }, { hdr: undefined }],
  ...['bb', 'tb', 'bt'].map((field_order): [string, object, object] => [
    `of fields ${field_order} as interlaced`,
    { field_order },
    { isInterlaced: true },
  ]),
  ['of whole frames as not interlaced', { field_order: 'progressive' }, { isInterlaced: false }],
  ['of HLG as of a high dynamic range', { color_transfer: 'arib-std-b67' }, { hdr: 'arib-std-b67' }],
  ['with square pixels, written with a stroke', { sample_aspect_ratio: '2/1' }, { width: 128 }],
  ['as it is stored when its aspect has no denominator', { sample_aspect_ratio: '1:0' }, { width: 64, isPlain: true }],
  ['as it is stored when its aspect is more than a fraction', { sample_aspect_ratio: '-4:3' }, { width: 64, isPlain: true }],
  ['as it is stored when its aspect goes on', { sample_aspect_ratio: '4:3:2' }, { width: 64, isPlain: true }],
  ['with its side data before its tag', { side_data_list: [{}, { rotation: 0 }], tags: { rotate: '90' } }, { width: 64, height: 48 }],
  ['as lying when its turn is nonsense', { tags: { rotate: 'left' } }, { width: 64, height: 48 }],
  ['with the rate of its frames', {}, { rate: { numerator: 30_000, denominator: 1001 } }],
  ['with its other rate', { avg_frame_rate: '0/0', r_frame_rate: '25/1' }, { rate: { numerator: 25, denominator: 1 } }],
  ['with the frames that were counted', { nb_frames: undefined, nb_read_packets: '2' }, { frames: 2 }],
  ['with an unknown number of frames when it is empty', { nb_frames: '' }, { frames: undefined }],
  ['with an unknown number of frames when it is no number', { nb_frames: [5] }, { frames: undefined }],
  ['with no frames when it has none', { nb_frames: '0' }, { frames: 0 }],
  ['with a bounded name of its codec', { codec_name: 'x'.repeat(65) }, { codec: 'x'.repeat(64) }],
  ['as the first when it has no index', { index: undefined }, { index: 0 }],
  ['of an unknown rate when it says 0/0', { avg_frame_rate: '0/0', r_frame_rate: '0/0' }, { rate: undefined }],
])('a stream of pictures is read %s', (_, given, expected) => {
  expect(probeOf(written([{ ...video, ...given }]))?.video).toMatchObject(expected)
})

test('what is in a file is read, the picture of a recording apart', () => {
  const cover = { ...video, index: 2, codec_name: 'mjpeg', disposition: { attached_pic: 1 } }
  expect(probeOf(written([video, audio]))).toMatchObject({ duration: 2.002, bitrate: 9000, video: { frames: 60 }, audio: { channels: 2 } })
  expect(probeOf(written([cover, audio]))).toMatchObject({ video: undefined, cover: { index: 2 } })
})

test('a file lasts as long as it says, else as its longest stream', () => {
  const streams = [
    { ...video, duration: '3' },
    { ...audio, duration: '5' },
  ]
  expect(probeOf(written(streams))?.duration).toBe(2.002)
  expect(probeOf(written(streams, {}))).toMatchObject({ duration: 5, bitrate: 0 })
  expect(probeOf(written(streams.slice(0, 1), {}))?.duration).toBe(3)
  expect(probeOf(written([video], {}))?.duration).toBe(0)
})

test('the first streams that hold something are meant', () => {
  const streams = [
    { ...video, codec_name: '' },
    { ...video, width: 0 },
    { ...video, index: 4 },
    { ...audio, channels: 0 },
    { ...audio, index: 6 },
  ]
  expect(probeOf(written([...streams, { ...video, index: 7 }, { ...audio, index: 8 }]))).toMatchObject({
    video: { index: 4 },
    audio: { index: 6 },
  })
  expect(probeOf(written([{ ...audio, width: 5 }]))?.video).toBeUndefined()
  expect(probeOf(written([{ ...audio, sample_rate: undefined, index: undefined }]))?.audio).toMatchObject({ sampleRate: 0, index: 0 })
})

test.each([
  ['no JSON', 'Segmentation fault'],
  ['no streams', '{}'],
  ['sound of no channel', written([{ ...audio, channels: 0 }])],
  ['sound that does not say its channels', written([{ ...audio, channels: undefined }])],
  ['a picture that does not say its width', written([{ ...video, width: undefined }])],
  ['a picture of nothing', written([{ ...video, width: 0 }])],
  ['text alone', written([{ index: 0, codec_type: 'subtitle', codec_name: 'mov_text' }])],
  ['streams that are none', JSON.stringify({ streams: [null, 'video', 7] })],
])('of %s there is nothing', (_, output) => expect(probeOf(output)).toBeUndefined())

test('numbers that are none are believed in no place', () => {
  const nonsense = { duration: 'Infinity', bit_rate: '-4' }
  expect(probeOf(written([{ ...video, nb_frames: 'many', duration: 'N/A' }], nonsense))).toMatchObject({
    duration: 0,
    bitrate: 0,
    video: { frames: undefined },
  })
})
