import type { Attachment, Motion } from '@rookery/contracts/statuses'
import { describe, expect, test } from 'vitest'
import { mediaAttachmentEntity } from './media-attachment.ts'

const motion: Motion = {
  duration: 88.654,
  bitrate: 862_056,
  frameRate: '30000/1001',
  audioEncode: 'aac (LC)',
  audioBitrate: '44100 Hz',
  audioChannels: 'stereo',
  colors: undefined,
}
const film: Attachment = {
  id: '1',
  type: 'video',
  url: 'https://birds.example/media/a.mp4',
  previewUrl: '',
  description: '',
  blurhash: '',
  focus: undefined,
  original: { width: 1280, height: 720 },
  small: { width: 640, height: 360 },
  motion,
}
const metaOf = (given: Partial<Attachment>): Record<string, unknown> => mediaAttachmentEntity({ ...film, ...given }).meta

describe('what is said of a file', () => {
  test('that is a film', () => {
    expect(metaOf({ focus: { x: 0.5, y: -1 } })).toEqual({
      focus: { x: 0.5, y: -1 },
      length: '0:01:28.65',
      duration: 88.654,
      fps: 30,
      audio_encode: 'aac (LC)',
      audio_bitrate: '44100 Hz',
      audio_channels: 'stereo',
      width: 1280,
      height: 720,
      size: '1280x720',
      aspect: 1280 / 720,
      original: {
        width: 1280,
        height: 720,
        size: '1280x720',
        aspect: 1280 / 720,
        frame_rate: '30000/1001',
        duration: 88.654,
        bitrate: 862_056,
      },
      small: { width: 640, height: 360, size: '640x360', aspect: 640 / 360 },
    })
  })

  test('that moves without sound', () => {
    const meta = metaOf({ type: 'gifv', motion: { ...motion, audioEncode: '', audioBitrate: '', audioChannels: '' } })
    expect(Object.keys(meta).filter((name) => name.startsWith('audio'))).toEqual([])
  })

  test('that is sound alone', () => {
    const colors = { background: '#112233', foreground: '#ffffff', accent: '#a0a7ad' }
    expect(metaOf({ type: 'audio', original: undefined, small: undefined, motion: { ...motion, frameRate: '', colors } })).toEqual({
      length: '0:01:28.65',
      duration: 88.654,
      audio_encode: 'aac (LC)',
      audio_bitrate: '44100 Hz',
      audio_channels: 'stereo',
      colors,
      original: { duration: 88.654, bitrate: 862_056 },
    })
  })

  test('that is a picture', () => {
    expect(Object.keys(metaOf({ type: 'image', motion: undefined }))).toEqual(['original', 'small'])
  })
})

test.each([
  [0, '0:00:00.00'],
  [59.999, '0:01:00.00'],
  [3600, '1:00:00.00'],
  [36_061.5, '10:01:01.50'],
])('%f seconds are written as %s', (duration, length) => {
  expect(metaOf({ motion: { ...motion, duration } })).toMatchObject({ length })
})

test('the address of a file that is still processed is hidden', () => {
  expect(mediaAttachmentEntity(film, { isPending: true })).toMatchObject({ url: null, preview_url: null })
})
