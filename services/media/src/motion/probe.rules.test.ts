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
  ['of an unknown rate when it says 0/0', { avg_frame_rate: '0/0', r_frame_rate: '0/0' }, { rate: undefined }],
])('a stream of pictures is read %s', (_, given, expected) => {
  expect(probeOf(written([{ ...video, ...given }]))?.video).toMatchObject(expected)
})

test('what is in a file is read, the picture of a recording apart', () => {
  const cover = { ...video, index: 2, codec_name: 'mjpeg', disposition: { attached_pic: 1 } }
  expect(probeOf(written([video, audio]))).toMatchObject({ duration: 2.002, bitrate: 9000, video: { frames: 60 }, audio: { channels: 2 } })
  expect(probeOf(written([cover, audio]))).toMatchObject({ video: undefined, cover: { index: 2 } })
})

test.each([
  ['no JSON', 'Segmentation fault'],
  ['no streams', '{}'],
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
