import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Secret } from '@rookery/runtime'
import { outerBucket, startBucket, type TestBucket } from '@rookery/test-stores'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keysOfKilled } from '../../tests/killed-writer.ts'
import { bucketStorage } from './bucket.ts'
import { diskStorage } from './disk.ts'
import { movingStorage } from './moving.ts'
import { storageConformance } from './storage.conformance.ts'
import { makeKey, type Storage } from './storage.ts'

let store: TestBucket
let folder: string
beforeAll(async () => {
  store = await startBucket()
  folder = await mkdtemp(join(tmpdir(), 'rookery-bucket-'))
})
afterAll(async () => {
  await store.stop()
  await rm(folder, { recursive: true })
})

type Reported = Pick<TestBucket, 'endpoint' | 'bucket' | 'region' | 'keyId' | 'key'>
const open = (changed: Partial<Reported> = {}, reported: Reported = store) => {
  const { endpoint, bucket, region, keyId, key } = { ...reported, ...changed }
  return bucketStorage({ endpoint, bucket, region, keyId, key: new Secret(key), authority: undefined })
}
const local = async (text: string) => {
  const path = join(folder, 'local')
  await writeFile(path, text)
  return path
}

describe('the storage in a bucket', () => {
  storageConformance(() => open())

  it('says of each object what it is and that it never changes', async () => {
    const key = makeKey('webp')
    await open().put(key, await local('x'))
    const headers = { 'content-type': 'image/webp', 'cache-control': 'public, max-age=31536000, immutable' }
    expect(store.objects.get(`media/${key}`)?.headers).toEqual(headers)
  })

  it.each([
    ['a key that is not the secret', { key: 'wrong' }, '403 SignatureDoesNotMatch'],
    ['a key that is unknown', { keyId: 'STRANGER' }, '403 InvalidAccessKeyId'],
    ['another bucket', { bucket: 'crows' }, '404 NoSuchBucket'],
    ['another region', { region: 'us-east-1' }, '403 AuthorizationHeaderMalformed'],
  ])('is refused, and says why, with %s', async (_, changed, why) => {
    const storage = open(changed)
    const fault = await storage.fault()
    expect(fault).toMatch(new RegExp(`cannot be used: the bucket refuses a list: ${why}$`))
    expect(fault).not.toContain('key' in changed ? changed.key : store.key)
    await expect(storage.put(makeKey('png'), await local('x'))).rejects.toThrow(`the bucket refuses PUT: ${why}`)
  })

  it.each([[503], [429], ['hang up']] as const)('tries again, twice, when the store answers with %s', async (fault) => {
    const key = makeKey('png')
    store.fail(fault, fault)
    await open().put(key, await local('x'))
    expect(store.objects.get(`media/${key}`)?.bytes.toString()).toBe('x')
    store.fail(fault)
    expect((await open().open(key))?.size).toBe(1)
  })

  it('gives up after three tries, as unavailable', async () => {
    store.fail(503, 503, 503)
    await expect(open().open(makeKey('png'))).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await open().open(makeKey('png'))).toBeUndefined()
  })

  it('waits for no silent store for ever, and goes on with the next try', async () => {
    const key = makeKey('png')
    store.fail('silence')
    await open().put(key, await local('x'))
    expect(store.objects.has(`media/${key}`)).toBe(true)
  })

  it('ends with a fault what breaks off, rather than as if it were whole', async () => {
    const key = makeKey('png')
    const storage = open()
    await storage.put(key, await local('x'.repeat(1000)))
    const file = await storage.open(key)
    store.fail('break')
    await expect(buffer(file!.read())).rejects.toThrow()
  })

  it('has what it acknowledged after kill -9', async () => {
    await local('kept')
    // Stores one file after the other and prints the key of each acknowledged one.
    const { endpoint, bucket, region, keyId, key } = store
    const script = `
      import { Secret } from ${JSON.stringify(import.meta.resolve('@rookery/runtime'))}
      import { bucketStorage } from ${JSON.stringify(import.meta.resolve('./bucket.ts'))}
      import { makeKey } from ${JSON.stringify(import.meta.resolve('./storage.ts'))}
      const told = ${JSON.stringify({ endpoint, bucket, region, keyId })}
      const storage = bucketStorage({ ...told, key: new Secret(${JSON.stringify(key)}), authority: undefined })
      for (;;) { const key = makeKey('png'); await storage.put(key, ${JSON.stringify(join(folder, 'local'))}); console.log(key) }`
    const keys = await keysOfKilled(script)
    for (const each of keys) expect((await open().open(each))?.size).toBe(4)
  })
})

describe('a storage that moves from a folder to a bucket', () => {
  storageConformance((files) => movingStorage({ from: diskStorage({ folder: files }), to: open() }))

  it('reads what is still in the folder, puts what is new into the bucket, and deletes in both', async () => {
    const disk = diskStorage({ folder: join(folder, 'files') })
    const moving = movingStorage({ from: disk, to: open() })
    const [old, both, fresh] = [makeKey('png'), makeKey('png'), makeKey('png')]
    for (const key of [old, both]) await disk.put(key, await local('old'))
    for (const key of [both, fresh]) await moving.put(key, await local('new'))
    const sizes = await Promise.all([old, both, fresh].map(async (key) => (await moving.open(key))?.size))
    expect(sizes).toEqual([3, 3, 3])
    expect([await disk.open(fresh), store.objects.has(`media/${old}`)]).toEqual([undefined, false])
    expect(await moving.keysAfter('', 1000)).toEqual(expect.arrayContaining([old, both, fresh]))
    for (const key of [old, both, fresh]) await moving.remove(key)
    expect(await Promise.all([old, both, fresh].map((key) => moving.open(key)))).toEqual([undefined, undefined, undefined])
    expect([await disk.open(both), store.objects.has(`media/${both}`)]).toEqual([undefined, false])
  })
})

describe('files that move', () => {
  const both = () => {
    const disk = diskStorage({ folder: join(folder, `moving-${Math.random()}`) })
    return { disk, moving: movingStorage({ from: disk, to: open() }) }
  }
  const copyAll = async (moving: Storage) => {
    let [copied, pages] = [0, 0]
    for (let key = ''; ; pages++) {
      const page = await moving.copyAfter!(key, () => true)
      if (page.lookedAt === 0) return { copied, pages }
      copied += page.copied
      key = page.lastKey
    }
  }

  it('are copied once each, however often that is begun', async () => {
    const { disk, moving } = both()
    const keys = [makeKey('png'), makeKey('jpg'), makeKey('gif')].sort()
    for (const key of keys) await disk.put(key, await local(key))
    expect(await moving.copyAfter!('', () => true)).toEqual({ lookedAt: 1, copied: 1, lastKey: keys[0] })
    expect(await copyAll(moving)).toEqual({ copied: 2, pages: 3 })
    expect(await copyAll(moving)).toEqual({ copied: 0, pages: 3 })
    for (const key of keys) expect(store.objects.get(`media/${key}`)?.bytes.toString()).toBe(key)
  })

  it('are copied again when a copy is not whole', async () => {
    const { disk, moving } = both()
    const key = makeKey('png')
    await disk.put(key, await local('whole'))
    await open().put(key, await local('who'))
    expect(await copyAll(moving)).toEqual({ copied: 1, pages: 1 })
    expect(store.objects.get(`media/${key}`)?.bytes.toString()).toBe('whole')
  })

  it('do not come back when they are deleted while they are copied', async () => {
    const { disk } = both()
    const key = makeKey('png')
    await disk.put(key, await local('x'))
    const bucket = open()
    const moving = movingStorage({
      from: disk,
      to: {
        ...bucket,
        put: async () => {
          await moving.remove(key)
          await bucket.put(key, await local('x'))
        },
      },
    })
    expect(await copyAll(moving)).toMatchObject({ copied: 0 })
    expect(store.objects.has(`media/${key}`)).toBe(false)
  })

  it('stop the copying when the bucket fails, which then goes on where it was', async () => {
    const { disk, moving } = both()
    for (const key of [makeKey('png'), makeKey('png')]) await disk.put(key, await local(key))
    store.fail('pass', 503, 503, 503)
    await expect(copyAll(moving)).rejects.toMatchObject({ kind: 'unavailable' })
    expect((await copyAll(moving)).copied).toBe(2)
  })
})

const outer = outerBucket()
describe.skipIf(!outer)(outer ? `the storage in the bucket of ${outer.endpoint}` : 'a store of one’s own: TEST_BUCKET names it', () => {
  storageConformance(() => open({}, outer!))
})
