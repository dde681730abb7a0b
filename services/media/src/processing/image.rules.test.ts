import { describe, expect, test } from 'vitest'
import { extensionOf, originalSize, pictureFault, previewSize } from './image.rules.ts'

const size = (width: number, height: number) => ({ width, height })
const PICTURE = { ...size(100, 100), contentType: 'image/png', frames: 1, hasAlpha: true, heldBytes: 0 }

describe('the size of an upload', () => {
  test.each([
    ['an attachment of 3840 × 2160 stays', size(3840, 2160), 'attachment', size(3840, 2160)],
    ['a larger attachment keeps its shape', size(7680, 4320), 'attachment', size(3840, 2160)],
    ['a line stays a pixel high', size(16_384, 1), 'preview', size(16_384, 1)],
    ['an avatar becomes a square', size(100, 300), 'avatar', size(400, 400)],
    ['a header fits into 1500 × 500', size(3000, 500), 'header', size(1500, 250)],
    ['a small header is not enlarged', size(300, 100), 'header', size(300, 100)],
    ['an emoji fits into 256 × 256', size(512, 256), 'emoji', size(256, 128)],
    ['the picture of a page has 1280 × 720', size(2560, 1440), 'preview', size(1280, 720)],
    ['a thumbnail has 640 × 360', size(1280, 720), 'thumbnail', size(640, 360)],
  ] as const)('%s', (_what, came, purpose, expected) => expect(originalSize(came, purpose)).toEqual(expected))

  test('of a preview is 640 × 360 in the same shape', () => {
    expect(previewSize(size(1440, 2560))).toEqual(size(360, 640))
  })
})

describe('a picture', () => {
  test.each([
    ['of 33,177,600 pixels is taken', size(7680, 4320), undefined],
    ['of more pixels is refused', size(7680, 4321), 'File is too large: 7680x4321 images are not supported'],
    ['of 16,384 pixels on a side is taken', size(16_384, 1), undefined],
    ['of more on a side is refused', size(1, 16_385), 'File is too large: 1x16385 images are not supported'],
    ['that moves, of 1280 × 720, is taken', { ...size(1280, 720), frames: 2 }, undefined],
    ['that moves, larger, is refused', { ...size(1280, 721), frames: 2 }, 'File is too large: 1280x721 GIF files are not supported'],
    ['of 2000 frames is taken', { ...size(10, 10), frames: 2000 }, undefined],
    ['of more frames is refused', { ...size(10, 10), frames: 2001 }, 'File is too large: 2001 frames of 10x10 are not supported'],
    ['of 36 frames of 1280 × 720 is taken', { ...size(1280, 720), frames: 36 }, undefined],
    [
      'of too many pixels in all frames is refused',
      { ...size(1280, 720), frames: 37 },
      'File is too large: 37 frames of 1280x720 are not supported',
    ],
    ['that is decoded as a whole is taken', { ...size(5760, 5760), heldBytes: 132_710_400 }, undefined],
    [
      'that would take too much memory is refused before it is decoded',
      { ...size(5760, 5760), heldBytes: 265_420_800 },
      'File is too large: it takes too much memory to process',
    ],
  ])('%s', (_what, more, fault) => expect(pictureFault({ ...PICTURE, ...more })).toBe(fault))

  test.each([
    ['image/jpeg', {}, 'jpg'],
    ['image/webp', {}, 'webp'],
    ['image/gif', { frames: 2 }, 'gif'],
    ['image/gif', {}, 'png'],
    ['image/avif', { hasAlpha: false }, 'jpg'],
    ['image/avif', { hasAlpha: true }, 'png'],
    ['image/png', { hasAlpha: false }, 'png'],
  ])('of type %s, %j, is written as %s', (contentType, more, extension) =>
    expect(extensionOf({ ...PICTURE, contentType, ...more })).toBe(extension),
  )
})
