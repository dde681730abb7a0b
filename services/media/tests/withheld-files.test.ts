import { UploadPurpose } from '@rookery/contracts/media'
import type { DomainEvent } from '@rookery/events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { film, filmTests, H264, hasFilms, stripes, TOOLS } from './films.ts'
import { call, type Harness, openHarness } from './harness.ts'
import { noise } from './pictures.ts'

// Files of suspended people: missing to everyone, and served again once the suspension is lifted.

const DAY = 86_400_000
const SUSPENDED = '1'
const OTHER = '2'

let picture: Buffer
let small: Buffer
beforeAll(async () => {
  picture = await noise(900, 900).png().toBuffer()
  small = await noise(50, 50).png().toBuffer()
})

let harness: Harness
const open = async () => {
  harness = await openHarness(hasFilms ? { motion: TOOLS } : {})
}
const close = () => harness.close()

const suspension = (isSuspended: boolean, actId: string, accountId = SUSPENDED): DomainEvent => ({
  $case: 'accountSuspended',
  value: { accountId, isSuspended, actId },
})
const removed: DomainEvent = { $case: 'accountRemoved', value: { accountId: SUSPENDED } }
const suspend = (actId = '10') => harness.hear(suspension(true, actId))
const release = (actId = '11') => harness.hear(suspension(false, actId))

const uploaded = async (header: { ownerId?: string; purpose?: UploadPurpose; thumbnailId?: string } = {}, bytes = picture) =>
  (await harness.upload(bytes, { ownerId: SUSPENDED, ...header })).attachment!

const statusOf = async (url: string, init?: RequestInit) => {
  const response = await harness.fetchFile(url, init)
  await response.arrayBuffer()
  return response.status
}
const statusesOf = (urls: readonly string[]) => Promise.all(urls.map((url) => statusOf(url)))
const rows = () => harness.database.db.selectFrom('withheldOwner').select(['ownerId', 'isWithheld']).execute()

/** The statements sent by requests for files. */
const countStatements = async (run: () => Promise<unknown>) => {
  const { pool } = harness.database
  const query = pool.query
  let count = 0
  pool.query = ((...given: Parameters<typeof query>) => {
    count++
    return query.apply(pool, given)
  }) as typeof query
  try {
    await run()
    return count
  } finally {
    pool.query = query
  }
}

describe('files of someone who is suspended', () => {
  beforeEach(open)
  afterEach(close)

  it('are as missing as what never was, whatever they are for and however they are asked for, and come back', async () => {
    const thumbnail = await uploaded({ purpose: UploadPurpose.THUMBNAIL })
    const [attachment, avatar, header, unattached] = [
      await uploaded({ thumbnailId: thumbnail.id }),
      await uploaded({ purpose: UploadPurpose.AVATAR }),
      await uploaded({ purpose: UploadPurpose.HEADER }),
      await uploaded(),
    ]
    await harness.attachments.claim(call(), { ownerId: SUSPENDED, ids: [attachment.id], subjectId: '2000' })
    const urls = [attachment, avatar, header, unattached].flatMap(({ url, previewUrl }) => [url, previewUrl])
    expect(new Set(urls).size).toBeGreaterThan(4)
    const tag = (await harness.fetchFile(attachment.url)).headers.get('etag')!
    expect(await statusesOf(urls)).toEqual(urls.map(() => 200))

    await suspend()
    expect(await statusesOf(urls)).toEqual(urls.map(() => 404))
    const missing = await harness.fetchFile('https://rookery.example/media/00000000000000000000000000000000.png')
    const nothing = await missing.json()
    for (const init of [{}, { headers: { Range: 'bytes=0-9' } }, { headers: { 'If-None-Match': tag } }]) {
      const response = await harness.fetchFile(attachment.url, init)
      expect([response.status, await response.json()]).toEqual([404, nothing])
      expect(response.headers.get('cache-control')).toBe('no-store')
      for (const name of ['etag', 'content-range', 'accept-ranges', 'content-disposition']) expect(response.headers.has(name)).toBe(false)
    }
    expect(await statusOf(attachment.url, { method: 'HEAD' })).toBe(404)

    await release()
    expect(await statusesOf(urls)).toEqual(urls.map(() => 200))
    expect((await harness.fetchFile(attachment.url, { headers: { Range: 'bytes=0-9' } })).status).toBe(206)
  })

  it('leave those of others alone', async () => {
    const [other, emoji] = [await uploaded({ ownerId: OTHER }), await uploaded({ ownerId: '3', purpose: UploadPurpose.EMOJI }, small)]
    await suspend()
    expect(await statusesOf([other.url, other.previewUrl, emoji.url])).toEqual([200, 200, 200])
  })

  it('are withheld though they come after the suspension', async () => {
    await suspend()
    const late = await uploaded()
    expect(await statusesOf([late.url, late.previewUrl])).toEqual([404, 404])
    await release()
    expect(await statusesOf([late.url, late.previewUrl])).toEqual([200, 200])
  })

  it.skipIf(!hasFilms)(filmTests('are withheld though their processing ends during the suspension'), async () => {
    const { id } = await uploaded({}, await film('mp4', ...stripes(), ...H264))
    await suspend()
    await harness.work()
    const { attachment } = await harness.attachments.read(call(), { id, ownerId: SUSPENDED })
    expect(attachment!.url).toMatch(/\.mp4$/)
    expect(await statusesOf([attachment!.url, attachment!.previewUrl])).toEqual([404, 404])
    await release()
    expect(await statusesOf([attachment!.url, attachment!.previewUrl])).toEqual([200, 200])
  })

  it('stay as the last act left them, however often and in whatever order events come', async () => {
    const { url } = await uploaded()
    await suspend('10')
    await suspend('10')
    expect(await statusOf(url)).toBe(404)
    await release('12')
    await harness.hear(suspension(true, '11'))
    expect(await statusOf(url)).toBe(200)
    await harness.hear(suspension(true, '14'), suspension(false, '13'))
    expect(await statusOf(url)).toBe(404)
    await release('15')
    expect(await statusOf(url)).toBe(200)
  })

  it('are not there for a moment when the account is deleted, and nothing is left of that', async () => {
    const { url, previewUrl } = await uploaded()
    await suspend()
    await harness.hear(removed)
    // Their records are deleted but their files are not: the job that deletes them has not run.
    expect(await harness.files()).toHaveLength(2)
    expect(await statusesOf([url, previewUrl])).toEqual([404, 404])
    await harness.work()
    expect(await harness.files()).toEqual([])
    expect(await statusesOf([url, previewUrl])).toEqual([404, 404])
    await harness.after(8 * DAY)
    expect(await rows()).toEqual([])
  })

  it('are remembered while it lasts, and a week longer', async () => {
    await suspend()
    await harness.after(30 * DAY)
    expect(await rows()).toEqual([{ ownerId: SUSPENDED, isWithheld: true }])
    await release()
    await harness.after(6 * DAY)
    expect(await rows()).toEqual([{ ownerId: SUSPENDED, isWithheld: false }])
    await harness.after(2 * DAY)
    expect(await rows()).toEqual([])
  })
})

describe('asking whether a file is withheld', () => {
  beforeAll(open)
  afterAll(close)

  it('costs no request anything while no one is suspended, and one statement while someone is', async () => {
    const { url } = await uploaded({ ownerId: OTHER })
    await statusOf(url)
    expect(await countStatements(() => statusOf(url))).toBe(0)
    await suspend()
    await statusOf(url)
    expect(await countStatements(() => statusOf(url))).toBe(1)
    await release()
    await statusOf(url)
    expect(await countStatements(() => statusOf(url))).toBe(0)
  })

  it.each([
    ['within seconds', 2000, 20],
    ['when the clock was set back by an hour', -3_600_000, 22],
  ])('notices %s what another process wrote', async (_when, milliseconds, act) => {
    const { url } = await uploaded()
    expect(await statusOf(url)).toBe(200)
    const row = { ownerId: SUSPENDED, actId: String(act), isWithheld: true, expiresAt: null }
    await harness.database.db
      .insertInto('withheldOwner')
      .values(row)
      .onConflict((conflict) => conflict.column('ownerId').doUpdateSet(row))
      .execute()
    harness.clock.time += milliseconds
    expect(await statusOf(url)).toBe(404)
    await release(String(act + 1))
    expect(await statusOf(url)).toBe(200)
  })

  it('counts on the last answer while the database does not answer, and gives out nothing where someone is suspended', async () => {
    const { url } = await uploaded()
    expect(await statusOf(url)).toBe(200)
    const { pool } = harness.database
    const query = pool.query
    const break_ = () => {
      pool.query = (() => Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED' }))) as typeof query
    }
    break_()
    harness.clock.time += 2000
    expect(await statusOf(url)).toBe(200)
    pool.query = query
    await suspend('30')
    expect(await statusOf(url)).toBe(404)
    break_()
    const response = await harness.fetchFile(url)
    expect([response.status, response.headers.get('cache-control')]).toEqual([503, 'no-store'])
    pool.query = query
    await release('31')
  })
})
