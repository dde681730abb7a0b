import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLogger } from '@rookery/runtime'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { PICTURE_LIMITS, type PictureLimits, pictureProcesses } from '../src/processing/picture-processes.ts'
import { BOMBS, interlacedPicture, slowPicture } from './bombs.ts'
import { call, type Harness, openHarness, partsOf } from './harness.ts'
import { corners } from './pictures.ts'

const MEGABYTE = 1024 * 1024

let harness: Harness
beforeAll(async () => {
  harness = await openHarness()
})
afterAll(() => harness.close())

const smallPicture = () => corners(80, 60).png().toBuffer()
const metric = async (name: string, labels = {}) => {
  const counted = await harness.media.metrics!.find((each) => each.name === name)!.count()
  if (typeof counted === 'number') return counted
  return counted.find((sample) => Object.entries(labels).every(([key, value]) => sample.labels[key] === value))?.value
}

/** The peak resident memory of this process while something runs, above that before, in bytes. */
const growthDuring = async (run: () => Promise<unknown>): Promise<number> => {
  const before = process.memoryUsage.rss()
  let max = before
  const watch = setInterval(() => {
    max = Math.max(max, process.memoryUsage.rss())
  }, 2)
  await run()
  clearInterval(watch)
  return max - before
}

describe('a small file that is large when decoded', () => {
  it.each(BOMBS)('costs this process little memory: $name', async ({ make, refusal }) => {
    const bytes = await make()
    expect(bytes.length).toBeLessThan(1.2 * MEGABYTE)
    const answers: unknown[] = []
    const growth = await growthDuring(async () => {
      answers.push(await harness.upload(bytes).catch((error: unknown) => error))
    })
    if (refusal) expect(answers).toMatchObject([{ kind: 'invalid', message: refusal }])
    else expect(answers).toMatchObject([{ attachment: { type: 'image', original: { width: 2880, height: 2880 } } }])
    expect(growth).toBeLessThan(100 * MEGABYTE)
    expect(await harness.uploadsUnderWay()).toEqual([])
  })

  it('costs the process of the picture no more than its limit', async () => {
    expect(await metric('rookery_picture_peak_bytes')).toBeLessThan(PICTURE_LIMITS.maxBytes + 64 * MEGABYTE)
    expect(await metric('rookery_pictures_total', { outcome: 'too_much_memory' })).toBe(0)
  })

  it('holds no one else up', async () => {
    const bomb = await slowPicture()
    const order: string[] = []
    const upload = async (name: string, ownerId: string, bytes: Buffer) => {
      // On a busy machine a bomb at the end of the queue may time out.
      await harness.upload(bytes, { ownerId }).catch(() => {})
      order.push(name)
    }
    const bombs = [1, 2, 3].map((number) => upload(`bomb ${number}`, '7', bomb))
    const others = ['8', '9'].map(async (ownerId) => upload(`picture of ${ownerId}`, ownerId, await smallPicture()))
    await Promise.all([...bombs, ...others])
    expect(order.indexOf('picture of 8')).toBeLessThan(2)
    expect(order.indexOf('picture of 9')).toBeLessThan(3)
  })
})

describe('a caller that has gone', () => {
  it('ends the work on its picture, and what waits is never begun', async () => {
    const bomb = await slowPicture()
    const gone = new AbortController()
    const upload = (bytes: Buffer) =>
      harness.attachments.upload({ ...call(), signal: gone.signal }, partsOf({ ownerId: '5' }, bytes)).catch((error: unknown) => error)
    const uploads = [upload(bomb), upload(bomb)]
    await expect.poll(() => metric('rookery_pictures_waiting')).toBe(1)
    const [made, abandoned] = [
      await metric('rookery_pictures_total', { outcome: 'made' }),
      await metric('rookery_pictures_total', { outcome: 'abandoned' }),
    ]
    gone.abort()
    expect(await Promise.all(uploads)).toMatchObject([{ kind: 'unavailable' }, { kind: 'unavailable' }])
    await expect.poll(() => harness.uploadsUnderWay()).toEqual([])
    expect(await metric('rookery_pictures_waiting')).toBe(0)
    expect(await metric('rookery_pictures_total', { outcome: 'abandoned' })).toBe(abandoned! + 1)
    expect(await metric('rookery_pictures_total', { outcome: 'made' })).toBe(made)
  })
})

describe('the process of a picture', () => {
  const open = async (options: { limits?: Partial<PictureLimits>; entry?: string } = {}) => {
    const folder = await mkdtemp(join(tmpdir(), 'rookery-pictures-'))
    const lines: { outcome: string; cpuMilliseconds?: number }[] = []
    const write = (line: string) => void lines.push(JSON.parse(line))
    const pictures = pictureProcesses({
      log: createLogger({ name: 'media', level: 'warn' }, { write }),
      ...options,
      limits: { ...PICTURE_LIMITS, ...options.limits },
    })
    onTestFinished(async () => {
      await pictures.close()
      await rm(folder, { recursive: true })
    })
    const make = async (bytes: Buffer, { contentType = 'image/png', signal = new AbortController().signal } = {}) => {
      const path = join(folder, 'received')
      await writeFile(path, bytes)
      await rm(join(folder, 'made'), { recursive: true, force: true })
      await mkdir(join(folder, 'made'))
      return pictures.make({ path, contentType, purpose: 'attachment', folder: join(folder, 'made') }, signal)
    }
    return { make, lines, made: () => readdir(join(folder, 'made')) }
  }

  it('is ended when the picture takes too long, and the next picture is made', async () => {
    const { make, lines } = await open({ limits: { maxCpu: 50 } })
    await expect(make(await slowPicture())).rejects.toMatchObject({
      kind: 'invalid',
      message: 'Validation failed: File is too large: it takes too long to process',
    })
    expect(lines).toMatchObject([{ outcome: 'too_slow' }])
  })

  it('is ended when it says nothing for a minute: that is no fault of the picture', async () => {
    const { make, lines } = await open({ limits: { deadline: 1 } })
    await expect(make(await slowPicture())).rejects.toMatchObject({ kind: 'unavailable' })
    expect(lines).toMatchObject([{ outcome: 'ended' }])
  })

  it('does not begin what takes too much memory by what the picture says of itself', async () => {
    // Enough time to start and to inspect the file, no more.
    const { make, lines } = await open({ limits: { maxBytes: 200 * MEGABYTE, maxCpu: 1000 } })
    for (const { make: bytes, type, refusal } of BOMBS.filter((bomb) => bomb.refusal?.endsWith('memory to process'))) {
      await expect(make(await bytes(), { contentType: type })).rejects.toMatchObject({ kind: 'invalid', message: refusal })
    }
    expect(lines).toEqual([])
  })

  it('is ended before it holds too much, after little work', async () => {
    const { make, lines } = await open({ limits: { maxBytes: 200 * MEGABYTE } })
    await expect(make(await interlacedPicture())).rejects.toMatchObject({
      kind: 'invalid',
      message: 'Validation failed: File is too large: it takes too much memory to process',
    })
    expect(lines).toMatchObject([{ outcome: 'too_much_memory' }])
    // The limit it would otherwise reach is six seconds.
    expect(lines[0]!.cpuMilliseconds).toBeLessThan(4000)
  })

  it('writes nothing once the caller has gone', async () => {
    const { make, made } = await open()
    const gone = new AbortController()
    const left = expect(make(await slowPicture(), { signal: gone.signal })).rejects.toMatchObject({ kind: 'unavailable' })
    gone.abort()
    await left
    expect(await made()).toEqual([])
    expect(await make(await smallPicture())).toMatchObject({ original: { width: 80, height: 60 } })
  })

  it('may crash: the picture cannot be read', async () => {
    const { make, lines } = await open({ entry: fileURLToPath(new URL('./crashing-process.ts', import.meta.url)) })
    await expect(make(await smallPicture())).rejects.toMatchObject({ name: 'UnreadableError' })
    expect(lines).toMatchObject([{ outcome: 'crashed' }])
  })

  it('may fail to start: that is no fault of the picture', async () => {
    const { make, lines } = await open({ entry: '/nowhere/process.ts' })
    await expect(make(await smallPicture())).rejects.toThrow(/ended with 1: .*Cannot find module/s)
    expect(lines).toMatchObject([{ outcome: 'ended' }])
  })
})
