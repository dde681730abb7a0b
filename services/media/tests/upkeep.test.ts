import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startBucket, type TestBucket } from '@rookery/test-stores'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeKey, type Storage } from '../src/storage/index.ts'
import { call, type Harness, openHarness } from './harness.ts'
import { inBucket } from './in-bucket.ts'
import { corners } from './pictures.ts'

describe.each([['on disk'], ['in a bucket']])('files and records that are compared, %s,', (place) => {
  let store: TestBucket
  let harness: Harness
  let storage: Storage
  let picture: Buffer
  beforeAll(async () => {
    store = await startBucket()
    picture = await corners(8, 8).png().toBuffer()
  })
  afterAll(() => store.stop())
  beforeEach(async () => {
    harness = await openHarness({
      storage: (disk) => {
        storage = place === 'on disk' ? disk : inBucket(store)
        return storage
      },
    })
    return async () => {
      for (const key of await storage.keysAfter('', 1000)) await storage.remove(key)
      await harness.close()
    }
  })

  const put = async (key = makeKey('png')) => {
    await writeFile(join(harness.folder, 'local'), 'x')
    await storage.put(key, join(harness.folder, 'local'))
    return key
  }
  const upload = async () => (await harness.upload(picture, { ownerId: '1' })).attachment!
  const keyOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)
  const isThere = async (key: string) => (await storage.open(key)) !== undefined

  /** Compares all files, page after page, and counts the pages. */
  const compare = async (remove = false) => {
    const [unknown, missing]: [string[], string[]] = [[], []]
    for (let [afterKey, pages] = ['', 0]; ; pages++) {
      const page = await harness.operator.compare(call(), { afterKey, remove })
      if (page.compared === 0) return { unknown, missing, pages }
      unknown.push(...page.unknownKeys)
      missing.push(...page.missing.map(({ key, mediaId, ownerId }) => `${key} ${mediaId} ${ownerId}`))
      afterKey = page.lastKey
    }
  }

  it('fit', async () => {
    await upload()
    await upload()
    expect(await compare()).toEqual({ unknown: [], missing: [], pages: 1 })
  })

  it('differ by a file that no one knows, which goes when that is asked for, and no other', async () => {
    const { url } = await upload()
    const orphan = await put()
    expect(await compare()).toMatchObject({ unknown: [orphan], missing: [] })
    await harness.after(0)
    expect(await isThere(orphan)).toBe(true)
    await compare(true)
    await harness.after(0)
    expect([await isThere(orphan), await isThere(keyOf(url))]).toEqual([false, true])
    expect(await compare()).toMatchObject({ unknown: [], missing: [] })
  })

  it('differ by a file that is gone, which is reported', async () => {
    const { id, url, previewUrl } = await upload()
    await storage.remove(keyOf(url))
    expect((await compare(true)).missing).toEqual([`${keyOf(url)} ${id} 1`])
    expect(await isThere(keyOf(previewUrl))).toBe(true)
  })

  it('do not differ by what is under way: an upload that is not finished, and files to be deleted', async () => {
    const pending = await upload()
    await harness.database.db.updateTable('attachment').set({ state: 'pending' }).where('id', '=', pending.id).execute()
    await storage.remove(keyOf(pending.url))
    const noted = await put()
    await harness.database.db.insertInto('discardedFile').values({ key: noted, discardedAt: new Date() }).execute()
    expect(await compare(true)).toMatchObject({ unknown: [], missing: [] })
  })

  it('are all looked at, also where one side is far longer', async () => {
    const keys = Array.from({ length: 1203 }, () => makeKey('png')).sort()
    const row = { ownerId: '1', purpose: 'attachment', type: 'image', state: 'done', description: '' } as const
    const none = { previewKey: null, width: null, height: null, previewWidth: null, previewHeight: null, blurhash: null }
    const more = { focusX: null, focusY: null, createdAt: new Date(), subjectId: null, claimedAt: null, expiresAt: null }
    const rows = keys.map((key, index) => ({ ...row, ...none, ...more, id: String(index + 1), originalKey: key }))
    await harness.database.db.insertInto('attachment').values(rows).execute()
    for (const index of [0, 700, 1202]) await put(keys[index]!)
    const orphans = [await put(), await put()].sort()
    store.asked.length = 0
    const { unknown, missing, pages } = await compare()
    expect([unknown, missing.length, pages]).toEqual([orphans, 1200, 3])
    // Two listings per page and one after the last, however many are missing.
    expect(store.asked).toHaveLength(place === 'on disk' ? 0 : 7)
  })
})
