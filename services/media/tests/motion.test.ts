import { rm, writeFile } from 'node:fs/promises'
import { ProcessingState, UploadPurpose } from '@rookery/contracts/media'
import { startBucket } from '@rookery/test-stores'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AAC, film, filmTests, H264, hasFilms, hasHeif, inspect, phoneClip, stripes, TOOLS, tone } from './films.ts'
import { call, type Harness, openHarness } from './harness.ts'
import { heic } from './heic.ts'
import { inBucket } from './in-bucket.ts'
import { animation, corners } from './pictures.ts'

describe.skipIf(!hasFilms)(filmTests('what moves and sounds'), () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await openHarness({ motion: TOOLS })
  })
  afterAll(() => harness.close())

  const bytesOf = async (url: string) => Buffer.from(await (await harness.fetchFile(url)).arrayBuffer())
  const read = (id: string) => harness.attachments.read(call(), { id, ownerId: '1' })
  const upload = async (bytes: Uint8Array, header = {}) => {
    const before = await harness.upload(bytes, header)
    await harness.work()
    const after = await read(before.attachment!.id)
    return { before, after, attachment: after.attachment! }
  }
  const refusal = (bytes: Uint8Array, header = {}) =>
    harness.upload(bytes, header).then(
      () => undefined,
      (error) => `${error.kind}: ${error.message}`,
    )

  it('shows a frame at once and the film when it is processed, which nothing else is left of', async () => {
    const { before, after, attachment } = await upload(await phoneClip(), { description: 'A clip', focus: { x: 0.1, y: 0.2 } })
    expect(before.state).toBe(ProcessingState.PENDING)
    expect(before.attachment).toMatchObject({
      type: 'video',
      previewUrl: expect.stringMatching(/\.jpg$/),
      small: { width: 64, height: 48 },
    })
    expect(after.state).toBe(ProcessingState.DONE)
    expect(attachment).toMatchObject({
      type: 'video',
      url: expect.stringMatching(/^https:\/\/rookery\.example\/media\/[0-9a-f]{32}\.mp4$/),
      previewUrl: before.attachment!.previewUrl,
      description: 'A clip',
      focus: { x: 0.1, y: 0.2 },
      original: { width: 64, height: 48 },
      motion: { frameRate: '10/1', audioEncode: 'aac (LC)', audioBitrate: '44100 Hz', audioChannels: 'mono' },
    })
    expect(attachment.motion!.duration).toBeCloseTo(2, 1)
    expect(attachment.blurhash).toMatch(/^U/)
    expect(await sharp(await bytesOf(attachment.previewUrl)).metadata()).toMatchObject({ format: 'jpeg', width: 64, height: 48 })
    const keys = [attachment.url, attachment.previewUrl].map((url) => url.split('/').at(-1))
    await harness.work()
    expect((await harness.files()).sort()).toEqual(keys.sort())
    expect(await harness.uploadsUnderWay()).toEqual([])
    expect((await harness.reported()).map(({ event }) => event)).toEqual([
      { $case: 'attachmentProcessed', value: { mediaId: attachment.id, ownerId: '1', type: 'video', failure: '' } },
    ])
  })

  it('passes on a film that every browser plays, without what it says of its author and place', async () => {
    const clip = await phoneClip()
    expect(clip.includes('SecretTitle')).toBe(true)
    const made = await bytesOf((await upload(clip)).attachment.url)
    expect(made.includes('SecretTitle') || made.includes('+51.5')).toBe(false)
    // The index is in front of the frames.
    expect(made.indexOf('moov')).toBeLessThan(made.indexOf('mdat'))
  })

  it.each([
    ['HEVC of 10 bit in QuickTime', 'mov', ['-c:v', 'libx265', '-x265-params', 'log-level=none', '-pix_fmt', 'yuv420p10le']],
    ['VP8 in WebM', 'webm', ['-c:v', 'libvpx']],
    ['VP9 in WebM', 'webm', ['-c:v', 'libvpx-vp9']],
    ['Theora in Ogg', 'ogv', ['-c:v', 'libtheora']],
    ['AV1 in Matroska', 'mkv', ['-vf', 'scale=64:64,setsar=1', '-c:v', 'libsvtav1', '-preset', '12']],
    ['H.264 in Matroska', 'mkv', H264],
    ['MPEG-4 of older cameras', 'mp4', ['-c:v', 'mpeg4']],
    ['MPEG-4 of older phones', '3gp', ['-c:v', 'mpeg4']],
    ['Windows Media', 'wmv', ['-f', 'asf', '-c:v', 'wmv2']],
    ['ProRes', 'mov', ['-c:v', 'prores_ks']],
    ['H.264 of 4:4:4', 'mp4', ['-c:v', 'libx264', '-pix_fmt', 'yuv444p']],
  ])('makes H.264 of %s', async (_, ending, codec) => {
    const { attachment } = await upload(await film(ending, ...stripes({ seconds: 1 }), ...codec))
    expect(attachment.type).toBe('gifv')
    const { streams } = await inspect(await bytesOf(attachment.url))
    expect(streams).toMatchObject([{ codec_name: 'h264', pix_fmt: 'yuv420p', width: 64 }])
  })

  it('brings what it re-encodes within 1920 × 1080, lying or upright', async () => {
    const lying = await film('webm', ...stripes({ size: '2048x1200', rate: 5, seconds: 1 }), '-c:v', 'libvpx', '-deadline', 'realtime')
    expect((await upload(lying)).attachment.original).toEqual({ width: 1844, height: 1080 })
    const upright = await film('webm', ...stripes({ size: '1200x2048', rate: 5, seconds: 1 }), '-c:v', 'libvpx', '-deadline', 'realtime')
    expect((await upload(upright)).attachment.original).toEqual({ width: 1080, height: 1844 })
  })

  it('shows a turned film upright, in its preview and its size', async () => {
    const plain = await film('mp4', ...stripes(), ...H264)
    const path = `${harness.folder}/plain.mp4`
    await writeFile(path, plain)
    const turned = await film('mov', '-i', path, '-c', 'copy', '-metadata:s:v', 'rotate=90')
    await rm(path)
    const { attachment } = await upload(turned)
    expect(attachment).toMatchObject({ original: { width: 48, height: 64 }, small: { width: 48, height: 64 } })
  })

  it('takes no black frame for the preview when there are others', async () => {
    const fadeIn = [
      '-f',
      'lavfi',
      '-i',
      'color=black:s=64x48:r=10:d=3,format=yuv420p[a];color=red:s=64x48:r=10:d=1,format=yuv420p[b];[a][b]concat',
    ]
    const { attachment } = await upload(await film('mp4', ...fadeIn, ...H264))
    const { channels } = await sharp(await bytesOf(attachment.previewUrl)).stats()
    expect(channels[0]!.mean).toBeGreaterThan(150)
    const black = await upload(await film('mp4', '-f', 'lavfi', '-i', 'color=black:s=64x48:r=10:d=1', ...H264))
    expect(black.after.state).toBe(ProcessingState.DONE)
  })

  it.each([
    ['a GIF', () => animation(40, 30, 4)],
    [
      'an animated WebP',
      async () =>
        sharp(await animation(40, 30, 4), { animated: true })
          .webp()
          .toBuffer(),
    ],
    ['an APNG', () => film('apng', ...stripes({ size: '40x30', seconds: 1 }), '-plays', '0')],
  ])('makes a moving picture without sound of %s', async (_, make) => {
    const { before, attachment } = await upload(await make())
    expect(before.attachment!.type).toBe('gifv')
    expect(attachment).toMatchObject({ type: 'gifv', original: { width: 40, height: 30 }, url: expect.stringMatching(/\.mp4$/) })
    const { streams } = await inspect(await bytesOf(attachment.url))
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264'])
  })

  it.each([
    ['a GIF', [100, 100, 3000], 3.2, (gif: Buffer) => gif],
    ['a GIF of long pictures', [2000, 2000], 4, (gif: Buffer) => gif],
    ['an animated WebP', [40, 40, 2000], 2.08, (gif: Buffer) => sharp(gif, { animated: true }).webp().toBuffer()],
  ])('shows the last picture of %s, of %j milliseconds, for as long as it says', async (_, delays, seconds, from) => {
    const { after, attachment } = await upload(await from(await animation(40, 30, delays.length, delays)))
    expect(after.state).toBe(ProcessingState.DONE)
    expect(attachment.motion?.duration).toBeCloseTo(seconds, 1)
  })

  it.each([
    // 0.58 of the signal is near the white of an ordinary screen in PQ; HLG looks much the same there without mapping.
    ['smpte2084', 165],
    ['arib-std-b67', 125],
  ])('shows a film of a high dynamic range (%s) in the tones of ordinary screens', async (transfer, brightness) => {
    const gray = ['-f', 'lavfi', '-i', 'color=0x949494:s=64x48:r=10:d=1']
    const hdr = ['-color_trc', transfer, '-color_primaries', 'bt2020', '-colorspace', 'bt2020nc']
    const x265 = ['-c:v', 'libx265', '-x265-params', `log-level=none:transfer=${transfer}:colorprim=bt2020:colormatrix=bt2020nc`]
    const { attachment } = await upload(await film('mp4', ...gray, ...x265, '-pix_fmt', 'yuv420p10le', ...hdr, '-tag:v', 'hvc1'))
    const [stream] = (await inspect(await bytesOf(attachment.url))).streams
    expect(stream).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p', color_transfer: 'bt709', color_space: 'bt709' })
    const { channels } = await sharp(await bytesOf(attachment.previewUrl)).stats()
    expect(channels[0]!.mean).toBeGreaterThan(brightness)
  })

  describe.skipIf(!hasHeif)(hasHeif ? 'a picture of a phone' : 'a picture of a phone: left out, this ffmpeg reads no HEIF', () => {
    /** The colours of the picture's tiles at a few points, as 0 or 1 for each of red, green and blue. */
    const colorsAt = async (url: string, points: readonly (readonly [x: number, y: number])[]) => {
      const { data, info } = await sharp(await bytesOf(url))
        .raw()
        .toBuffer({ resolveWithObject: true })
      const at = ([x, y]: readonly [number, number]) => (y * info.width + x) * info.channels
      return points.map((point) => [...data.subarray(at(point), at(point) + 3)].map((value) => (value > 128 ? 1 : 0)).join(''))
    }
    // Red, lime and blue above yellow, cyan and magenta.
    const tiles = { columns: 3, rows: 2, width: 180, height: 120 }

    it('is whole, its tiles side by side, and a JPEG like others', async () => {
      const { before, attachment } = await upload(await heic(tiles), { description: 'A bird' })
      expect(before.state).toBe(ProcessingState.DONE)
      expect(attachment).toMatchObject({ type: 'image', original: { width: 180, height: 120 }, description: 'A bird' })
      expect(attachment.url).toMatch(/\.jpg$/)
      const points = [20, 90, 160].flatMap((x) => [[x, 20] as const, [x, 100] as const])
      expect(await colorsAt(attachment.url, points)).toEqual(['100', '110', '010', '011', '001', '101'])
      expect(await sharp(await bytesOf(attachment.previewUrl)).metadata()).toMatchObject({ format: 'jpeg', width: 180 })
    })

    it.each([
      [1, { width: 120, height: 180 }, ['001', '101', '100', '110']],
      [2, { width: 180, height: 120 }, ['101', '110', '001', '100']],
      [3, { width: 120, height: 180 }, ['110', '100', '101', '001']],
    ])('is shown upright after %i turns', async (turns, original, colors) => {
      const { attachment } = await upload(await heic({ ...tiles, turns }))
      expect(attachment.original).toEqual(original)
      const [right, bottom] = [original.width - 20, original.height - 20]
      const corners = [
        [20, 20],
        [right, 20],
        [20, bottom],
        [right, bottom],
      ] as const
      expect(await colorsAt(attachment.url, corners)).toEqual(colors)
    })

    it('is refused when it is cut, and as a profile picture', async () => {
      const bytes = await heic(tiles)
      expect(await refusal(bytes.subarray(0, 300))).toMatch('File is invalid')
      expect(await refusal(Buffer.concat([bytes.subarray(0, 24), Buffer.alloc(2000, 'noise')]))).toMatch('File is invalid')
      expect(await refusal(bytes, { purpose: UploadPurpose.AVATAR })).toMatch('File content type is invalid')
      expect(await harness.uploadsUnderWay()).toEqual([])
    })

    it('is announced', async () => {
      expect((await harness.attachments.readAccepted(call(), {})).contentTypes).toEqual(
        expect.arrayContaining(['image/heic', 'image/heif']),
      )
    })
  })

  it.skipIf(hasHeif)('takes no picture of a phone where ffmpeg reads none, and announces none', async () => {
    expect(await refusal(await heic({ columns: 1, rows: 1, width: 64, height: 64 }))).toMatch('File content type is invalid')
    expect((await harness.attachments.readAccepted(call(), {})).contentTypes).not.toContain('image/heic')
  })

  it('leaves pictures that do not move pictures, and profile pictures as they are', async () => {
    for (const bytes of [await corners(30, 20).gif().toBuffer(), await corners(30, 20).png().toBuffer()]) {
      expect(await harness.upload(bytes)).toMatchObject({ state: ProcessingState.DONE, attachment: { type: 'image' } })
    }
    const avatar = await harness.upload(await animation(50, 80, 3), { purpose: UploadPurpose.AVATAR })
    expect(avatar).toMatchObject({ state: ProcessingState.DONE, attachment: { type: 'image', url: expect.stringMatching(/\.gif$/) } })
    expect(await refusal(await phoneClip(), { purpose: UploadPurpose.AVATAR })).toMatch('File content type is invalid')
  })

  it('takes a long film without sound for a film', async () => {
    const bytes = await film('mp4', ...stripes({ rate: 1, seconds: 61 }), ...H264)
    expect((await upload(bytes)).attachment.type).toBe('video')
  })

  it.each([
    ['MP3', 'mp3', ['-c:a', 'libmp3lame'], 'mp3', 'mp3'],
    ['AAC in MP4', 'm4a', ['-c:a', 'aac'], 'm4a', 'aac'],
    ['AAC alone', 'aac', ['-c:a', 'aac'], 'm4a', 'aac'],
    ['FLAC', 'flac', ['-c:a', 'flac'], 'flac', 'flac'],
    ['Vorbis', 'ogg', ['-c:a', 'libvorbis'], 'm4a', 'aac'],
    ['Opus', 'opus', ['-c:a', 'libopus'], 'm4a', 'aac'],
    ['WAV', 'wav', [], 'm4a', 'aac'],
    ['AIFF', 'aiff', [], 'm4a', 'aac'],
    ['WMA', 'wma', ['-c:a', 'wmav2'], 'm4a', 'aac'],
    ['AAC in 3GP', '3gp', ['-c:a', 'aac'], 'm4a', 'aac'],
  ])('plays %s', async (_, ending, codec, extension, made) => {
    const { before, attachment } = await upload(await film(ending, ...tone(), ...codec))
    expect(before).toMatchObject({ state: ProcessingState.PENDING, attachment: { type: 'audio', previewUrl: '' } })
    expect(attachment).toMatchObject({ type: 'audio', previewUrl: '', original: undefined, motion: { frameRate: '' } })
    expect(attachment.url).toMatch(new RegExp(`\\.${extension}$`))
    expect(attachment.motion!.duration).toBeGreaterThan(1.9)
    expect(attachment.motion!.colors!.background).toMatch(/^#[0-9a-f]{6}$/)
    expect((await inspect(await bytesOf(attachment.url))).streams.map(({ codec_name }) => codec_name)).toEqual([made])
  })

  it('shows the picture that a recording comes with, and paints its player after it', async () => {
    const cover = ['-f', 'lavfi', '-i', 'color=0x20c040:s=32x32:d=0.04', '-map', '0', '-map', '1']
    const bytes = await film('mp3', ...tone(), ...cover, '-c:a', 'libmp3lame', '-c:v', 'mjpeg', '-disposition:v', 'attached_pic')
    const { attachment } = await upload(bytes)
    expect(attachment).toMatchObject({ type: 'audio', small: { width: 32, height: 32 } })
    const { channels } = await sharp(await bytesOf(attachment.previewUrl)).stats()
    expect(channels[1]!.mean).toBeGreaterThan(150)
    expect(Number.parseInt(attachment.motion!.colors!.background.slice(3, 5), 16)).toBeGreaterThan(150)
    expect((await inspect(await bytesOf(attachment.url))).streams).toHaveLength(1)
  })

  it('may be described while it is processed, and is not posted before', async () => {
    const { attachment } = await harness.upload(await phoneClip())
    const id = attachment!.id
    await harness.attachments.update(call(), { id, ownerId: '1', description: 'Described', focus: { x: 0.5, y: 0.5 } })
    const thumbnail = await harness.upload(await corners(20, 10).png().toBuffer(), { purpose: UploadPurpose.THUMBNAIL, thumbnailOf: id })
    await harness.attachments.update(call(), { id, ownerId: '1', thumbnailId: thumbnail.attachment!.id })
    const claim = () => harness.attachments.claim(call(), { ownerId: '1', ids: [id], subjectId: '77' })
    await expect(claim()).rejects.toThrow('Cannot attach files that have not finished processing. Try again in a moment!')
    await harness.work()
    const [claimed] = (await claim()).attachments
    expect(claimed).toMatchObject({ description: 'Described', focus: { x: 0.5, y: 0.5 }, small: { width: 20, height: 10 } })
    expect(claimed!.previewUrl).toBe(thumbnail.attachment!.url)
  })

  it('stands alone when it plays, and beside pictures when it only moves', async () => {
    const id = async (bytes: Uint8Array) => (await upload(bytes)).attachment.id
    const [clip, moving, picture] = [
      await id(await phoneClip()),
      await id(await animation(40, 30, 3)),
      await id(await corners(9, 9).png().toBuffer()),
    ]
    const claim = (ids: string[], subjectId: string) => harness.attachments.claim(call(), { ownerId: '1', ids, subjectId })
    await expect(claim([picture, clip], '81')).rejects.toThrow('Cannot attach a video to a post that already contains images')
    expect((await claim([picture, moving], '82')).attachments).toHaveLength(2)
    expect((await claim([clip], '83')).attachments).toHaveLength(1)
  })

  it('is gone when its owner deletes it, before, while and after it is processed', async () => {
    const files = (await harness.files()).length
    const remove = (id: string, ownerId = '1') => harness.attachments.remove(call(), { id, ownerId })
    const { attachment } = await harness.upload(await phoneClip())
    await expect(remove(attachment!.id, '2')).rejects.toMatchObject({ kind: 'not_found' })
    await remove(attachment!.id)
    await expect(read(attachment!.id)).rejects.toMatchObject({ kind: 'not_found' })
    await harness.work()
    const done = await upload(await phoneClip())
    await remove(done.attachment.id)
    await harness.work()
    expect(await harness.files()).toHaveLength(files)
    const shown = await upload(await phoneClip())
    await harness.attachments.claim(call(), { ownerId: '1', ids: [shown.attachment.id], subjectId: '91' })
    await expect(remove(shown.attachment.id)).rejects.toMatchObject({ message: 'Media attachment is currently used by a status' })
  })

  it('is refused above the limits that are announced', async () => {
    expect(await refusal(await film('mp4', ...stripes({ rate: 240, seconds: 1 }), ...H264))).toMatch(
      '240 frames a second are not supported',
    )
    expect(await refusal(Buffer.alloc(16_777_217, 'x'))).toMatch('File content type is invalid')
    expect(await refusal(Buffer.alloc(103_809_025))).toMatch('File must be less than 99 MB')
    const picture = await corners(30, 20).png().toBuffer()
    expect(await refusal(Buffer.concat([picture, Buffer.alloc(16_777_217)]))).toMatch('File must be less than 16 MB')
    expect(await refusal(await film('mp4', ...stripes({ size: '4000x2200', rate: 1, seconds: 1 }), ...H264))).toMatch(
      '4000x2200 videos are not',
    )
  })

  it('is processed from a bucket and into it alike', async () => {
    const bucket = await startBucket()
    const other = await openHarness({ motion: TOOLS, storage: () => inBucket(bucket) })
    const { attachment } = await other.upload(await phoneClip())
    await other.work()
    const done = await other.attachments.read(call(), { id: attachment!.id, ownerId: '1' })
    await other.work()
    const keys = [done.attachment!.url, done.attachment!.previewUrl].map((url) => url.replace(/.*\/media/, 'media'))
    expect([...bucket.objects.keys()].sort()).toEqual(keys.sort())
    expect(bucket.objects.get(keys.find((key) => key.endsWith('.mp4'))!)?.headers['content-type']).toBe('video/mp4')
    const response = await other.fetchFile(done.attachment!.url, { headers: { range: 'bytes=4-7' } })
    expect([response.status, await response.text()]).toEqual([206, 'ftyp'])
    await other.close()
    await bucket.stop()
  })

  it('is announced', async () => {
    const { contentTypes, maxBytes } = await harness.attachments.readAccepted(call(), {})
    expect(contentTypes).toEqual(expect.arrayContaining(['image/png', 'video/mp4', 'audio/mpeg']))
    expect(maxBytes).toBe(103_809_024)
  })

  it('has sound that plays beside it', async () => {
    const { attachment } = await upload(await film('mkv', ...stripes(), ...tone(), '-c:v', 'libvpx', '-c:a', 'libvorbis', ...AAC.slice(2)))
    const { streams } = await inspect(await bytesOf(attachment.url))
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac'])
  })
})
