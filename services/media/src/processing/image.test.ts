import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { corners } from '../../tests/pictures.ts'
import { originalSize, previewSize } from './image.rules.ts'
import { makeImage } from './image.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rookery-image-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('sizes', () => {
  it.each([
    [
      { width: 3840, height: 2160 },
      { width: 3840, height: 2160 },
      { width: 640, height: 360 },
    ],
    [
      { width: 7680, height: 4320 },
      { width: 3840, height: 2160 },
      { width: 640, height: 360 },
    ],
    [
      { width: 640, height: 360 },
      { width: 640, height: 360 },
      { width: 640, height: 360 },
    ],
    [
      { width: 1, height: 1 },
      { width: 1, height: 1 },
      { width: 1, height: 1 },
    ],
    [
      { width: 33_177_600, height: 1 },
      { width: 16_588_800, height: 1 },
      { width: 1_955_009, height: 1 },
    ],
  ])('of %j are %j and %j', (size, original, preview) => {
    expect(originalSize(size, 'attachment')).toEqual(original)
    expect(previewSize(originalSize(size, 'attachment'))).toEqual(preview)
  })
})

describe('makeImage', () => {
  it('says so when a picture was read and no preview of it could be made', async () => {
    const path = join(folder, 'received')
    await corners(20, 20).png().toFile(path)
    await mkdir(join(folder, 'preview.png'))
    await expect(makeImage(path, { contentType: 'image/png', purpose: 'attachment', folder })).rejects.toMatchObject({
      kind: 'broken',
      message: 'Error processing thumbnail for uploaded media',
    })
  })
})
