import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeKey, type Storage } from './storage.ts'

/** The conformance suite of storages; called inside a `describe`. */
export const storageConformance = (make: (folder: string) => Storage): void => {
  let folder: string
  let storage: Storage
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-storage-'))
    storage = make(join(folder, 'files'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const local = async (text: string) => {
    const path = join(folder, 'local')
    await writeFile(path, text)
    return path
  }
  const textOf = async (key: string, range?: { start: number; end: number }) => {
    const file = await storage.open(key)
    return file && (await buffer(file.read(range))).toString()
  }

  const everyKey = async () => {
    const keys: string[] = []
    for (let page = await storage.keysAfter('', 2); page.length > 0; page = await storage.keysAfter(page.at(-1)!, 2)) keys.push(...page)
    return keys
  }

  it('gives back what it was given, whole or in part', async () => {
    const key = makeKey('png')
    await storage.put(key, await local('0123456789'))
    expect((await storage.open(key))?.size).toBe(10)
    expect(await textOf(key)).toBe('0123456789')
    expect(await textOf(key, { start: 2, end: 4 })).toBe('234')
    expect(await textOf(key, { start: 9, end: 9 })).toBe('9')
  })

  it('keeps a copy of its own', async () => {
    const key = makeKey('jpg')
    await storage.put(key, await local('first'))
    await local('second')
    expect(await textOf(key)).toBe('first')
  })

  it('replaces a file that is put again', async () => {
    const key = makeKey('jpg')
    await storage.put(key, await local('first'))
    await storage.put(key, await local('second'))
    expect(await textOf(key)).toBe('second')
  })

  it('keeps files apart', async () => {
    const keys = [makeKey('jpg'), makeKey('jpg')] as const
    await storage.put(keys[0], await local('one'))
    await storage.put(keys[1], await local('two'))
    await storage.remove(keys[0])
    expect([await textOf(keys[0]), await textOf(keys[1])]).toEqual([undefined, 'two'])
  })

  it('names what it keeps in order, page by page', async () => {
    const last = (await everyKey()).at(-1) ?? ''
    const keys = [makeKey('jpg'), makeKey('png'), makeKey('gif')].sort()
    for (const key of keys) await storage.put(key, await local('x'))
    const known = await everyKey()
    expect(known).toEqual([...known].sort())
    expect(known).toEqual(expect.arrayContaining([...keys, ...(last && [last])]))
    expect(await storage.keysAfter(keys[1]!, 1000)).toEqual(known.slice(known.indexOf(keys[1]!) + 1))
    expect(await storage.keysAfter('', 2)).toEqual(known.slice(0, 2))
    expect(await storage.keysAfter('g', 2)).toEqual([])
  })

  it('is well', async () => {
    expect(await storage.fault()).toBeUndefined()
  })

  it('passes on what is far larger than a part, and lets a reader go in the middle', async () => {
    const key = makeKey('png')
    const bytes = randomBytes(5_000_000)
    await writeFile(join(folder, 'large'), bytes)
    await storage.put(key, join(folder, 'large'))
    const file = (await storage.open(key))!
    expect((await buffer(file.read())).equals(bytes)).toBe(true)
    for await (const chunk of file.read()) {
      expect(chunk.length).toBeLessThan(bytes.length)
      break
    }
    expect((await buffer(file.read({ start: 4_999_990, end: 4_999_999 }))).equals(bytes.subarray(-10))).toBe(true)
  })

  it('fails to read what was deleted meanwhile', async () => {
    const key = makeKey('png')
    await storage.put(key, await local('x'))
    const file = (await storage.open(key))!
    await storage.remove(key)
    await expect(buffer(file.read())).rejects.toThrow()
  })

  it('knows no file that was never put, and bears deleting it', async () => {
    const key = makeKey('gif')
    expect(await storage.open(key)).toBeUndefined()
    await storage.remove(key)
  })

  it('takes no text for a key', async () => {
    const path = await local('secret')
    for (const key of ['../local', 'local', '', `${makeKey('png')}/../../local`, `../${makeKey('png')}`]) {
      await expect((async () => storage.open(key))()).rejects.toThrow()
      await expect((async () => storage.put(key, path))()).rejects.toThrow()
      await expect((async () => storage.remove(key))()).rejects.toThrow()
    }
  })
}
