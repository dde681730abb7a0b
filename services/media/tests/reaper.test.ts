import type { DomainEvent } from '@rookery/events'
import { startBucket, type TestBucket } from '@rookery/test-stores'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Storage } from '../src/storage/index.ts'
import { call, type Harness, openHarness } from './harness.ts'
import { inBucket } from './in-bucket.ts'
import { corners } from './pictures.ts'

let harness: Harness
let picture: Buffer
beforeAll(async () => {
  harness = await openHarness()
  picture = await corners(8, 8).png().toBuffer()
})
afterAll(() => harness.close())

const HOUR = 3_600_000
const DAY = 24 * HOUR

const uploaded = async () => (await harness.upload(picture)).attachment!
const claim = (id: string, subjectId: string) => harness.attachments.claim(call(), { ownerId: '1', ids: [id], subjectId })
const mayClaim = (id: string, subjectId: string) =>
  claim(id, subjectId).then(
    () => true,
    () => false,
  )
const isThere = async (url: string) => (await harness.fetchFile(url)).status === 200

const published = (statusId: string): DomainEvent => ({
  $case: 'statusPublished',
  value: {
    statusId,
    authorId: '1',
    reblogOfId: '',
    reblogOfAuthorId: '',
    visibility: 'public',
    inReplyToAccountId: '',
    tags: [],
    hasMedia: true,
    mentionedAccountIds: [],
  },
})
const deleted = (statusId: string, deleteMedia: boolean): DomainEvent => ({
  $case: 'statusDeleted',
  value: {
    statusId,
    authorId: '1',
    reblogOfId: '',
    visibility: 'public',
    tags: [],
    mediaIds: [],
    deleteMedia,
    mentionedAccountIds: [],
    wasListed: true,
    hadMedia: true,
  },
})

const pictured = (changed: { keptMediaIds?: string[]; discardedMediaIds?: string[] }): DomainEvent => ({
  $case: 'profilePicturesChanged',
  value: { accountId: '1', keptMediaIds: [], discardedMediaIds: [], ...changed },
})

describe('a file that nothing shows', () => {
  it('lives for a day', async () => {
    const { id, url, previewUrl } = await uploaded()
    await harness.after(DAY - 1)
    expect(await isThere(url)).toBe(true)
    await harness.after(1)
    expect([await isThere(url), await isThere(previewUrl)]).toEqual([false, false])
    await expect(harness.attachments.read(call(), { id, ownerId: '1' })).rejects.toMatchObject({ kind: 'not_found' })
    expect(await harness.files()).toEqual([])
  })
})

describe('a claimed file', () => {
  it('stays for good once its status is published', async () => {
    const { id, url } = await uploaded()
    await claim(id, '2000')
    await harness.hear(published('2000'))
    await harness.after(100 * DAY)
    expect(await isThere(url)).toBe(true)
    expect(await mayClaim(id, '2001')).toBe(false)
  })

  it('stays for good once its status was edited to show it', async () => {
    const { id, url } = await uploaded()
    await claim(id, '2003')
    await harness.hear({
      $case: 'statusEdited',
      value: { statusId: '2003', authorId: '1', previousTags: [], hasJoiners: false, keepsPlace: true },
    })
    await harness.after(100 * DAY)
    expect([await isThere(url), await mayClaim(id, '2004')]).toEqual([true, false])
  })

  it('stays as the picture of a profile until another takes its place', async () => {
    const { id, url } = await uploaded()
    await claim(id, '1')
    await harness.hear(pictured({ keptMediaIds: [id] }))
    await harness.after(100 * DAY)
    expect(await isThere(url)).toBe(true)
    await harness.hear(pictured({ discardedMediaIds: [id] }))
    await harness.after(0)
    expect(await isThere(url)).toBe(false)
  })

  it('stays what it is when someone names it as the picture of a profile', async () => {
    const { id, url } = await uploaded()
    await claim(id, '2002')
    await harness.hear(published('2002'), pictured({ discardedMediaIds: [id] }))
    await harness.after(0)
    expect(await isThere(url)).toBe(true)
  })

  it('may be claimed again when no status followed within an hour, and is deleted after a week', async () => {
    const { id, url } = await uploaded()
    await claim(id, '2010')
    await harness.after(HOUR)
    expect(await mayClaim(id, '2011')).toBe(false)
    await harness.after(1)
    expect(await mayClaim(id, '2011')).toBe(true)
    await harness.after(7 * DAY - 1)
    expect(await isThere(url)).toBe(true)
    await harness.after(1)
    expect(await isThere(url)).toBe(false)
  })

  it('stays when the news of its status comes late', async () => {
    const { id, url } = await uploaded()
    await claim(id, '2020')
    await harness.after(6 * DAY)
    await harness.hear(published('2020'))
    await harness.after(100 * DAY)
    expect(await isThere(url)).toBe(true)
    expect(await mayClaim(id, '2021')).toBe(false)
  })
})

describe('the file of a deleted status', () => {
  it('may be posted again for a day', async () => {
    const { id, url } = await uploaded()
    await claim(id, '2030')
    await harness.hear(published('2030'), deleted('2030', false))
    await harness.after(DAY - 1)
    expect(await mayClaim(id, '2031')).toBe(true)
    await harness.hear(published('2031'), deleted('2031', false))
    await harness.after(DAY)
    expect(await isThere(url)).toBe(false)
  })

  it('is deleted at once when that is asked for, once however often it is heard', async () => {
    const { id, url } = await uploaded()
    const other = await uploaded()
    await claim(id, '2040')
    await harness.hear(published('2040'))
    await harness.hear(deleted('2040', true))
    await harness.hear(deleted('2040', true))
    await harness.after(0)
    expect([await isThere(url), await isThere(other.url)]).toEqual([false, true])
  })
})

describe.each([['on disk'], ['in a bucket']])('a death in the middle, %s,', (place) => {
  let store: TestBucket
  let kept: Storage
  const over = (disk: Storage) => {
    kept = place === 'on disk' ? disk : inBucket(store)
    return kept
  }
  const files = () => kept.keysAfter('', 10)
  /** Media that dies in `put`, after this step: it does nothing more until it is revived. `put` always fails. */
  const openDying = async (put: Storage['put']) => {
    let isDead = true
    const harness = await openHarness({
      storage: (disk) => ({
        ...over(disk),
        put: async (key, path) => {
          await put(key, path)
          throw new Error('killed')
        },
        remove: async (key) => {
          if (isDead) throw new Error('killed')
          await kept.remove(key)
        },
      }),
    })
    const revive = () => {
      isDead = false
    }
    return [harness, revive] as const
  }
  beforeAll(async () => {
    store = await startBucket()
  })
  afterAll(() => store.stop())

  it('of an upload, before its files, leaves nothing for good', async () => {
    const [dying, revive] = await openDying(async () => {})
    try {
      await expect(dying.upload(picture)).rejects.toMatchObject({ kind: 'broken' })
      revive()
      await dying.after(DAY)
      expect([await files(), await dying.database.db.selectFrom('attachment').select('id').execute()]).toEqual([[], []])
    } finally {
      await dying.close()
    }
  })

  it('of an upload, after its files and before its end, leaves nothing for good', async () => {
    const [dying, revive] = await openDying((key, path) => kept.put(key, path))
    try {
      await expect(dying.upload(picture)).rejects.toMatchObject({ kind: 'broken' })
      expect(await files()).toHaveLength(1)
      revive()
      await dying.after(DAY)
      expect(await files()).toEqual([])
    } finally {
      await dying.close()
    }
  })

  it('of no one: an upload that cannot be stored is taken back at once', async () => {
    const [failing, revive] = await openDying((key, path) => kept.put(key, path))
    try {
      revive()
      await expect(failing.upload(picture)).rejects.toMatchObject({ kind: 'broken' })
      expect([await files(), await failing.database.db.selectFrom('attachment').select('id').execute()]).toEqual([[], []])
    } finally {
      await failing.close()
    }
  })

  it('of deleting is made good by the next try', async () => {
    let isBroken = true
    const dying = await openHarness({
      storage: (disk) => ({
        ...over(disk),
        remove: async (key) => {
          await kept.remove(key)
          if (isBroken) throw new Error('killed')
        },
      }),
    })
    try {
      await dying.upload(picture)
      await dying.after(DAY)
      expect(await files()).toHaveLength(1)
      isBroken = false
      await dying.media.jobs.find((job) => job.name === 'discard-files')?.run({})
      expect(await files()).toEqual([])
    } finally {
      await dying.close()
    }
  })
})

it('an upload whose owner is gone before its files are stored leaves nothing', async () => {
  let beforePut = async () => {}
  const late = await openHarness({
    storage: (disk) => ({
      ...disk,
      put: async (key, path) => {
        await beforePut()
        await disk.put(key, path)
      },
    }),
  })
  beforePut = async () => {
    await late.hear({ $case: 'accountRemoved', value: { accountId: '1' } })
    await late.work()
  }
  try {
    await expect(late.upload(picture)).rejects.toMatchObject({ kind: 'not_found' })
    await late.work()
    expect(await late.files()).toEqual([])
  } finally {
    await late.close()
  }
})
