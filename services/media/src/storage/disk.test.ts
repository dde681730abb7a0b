import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diskStorage } from './disk.ts'
import { storageConformance } from './storage.conformance.ts'
import { makeKey } from './storage.ts'

describe('the storage on disk', () => {
  storageConformance((folder) => diskStorage({ folder }))

  it('spreads files over folders and leaves nothing beside them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rookery-disk-'))
    const storage = diskStorage({ folder: join(folder, 'deep', 'files') })
    const key = makeKey('png')
    await writeFile(join(folder, 'local'), 'x')
    await storage.put(key, join(folder, 'local'))
    const below = join(folder, 'deep', 'files', key.slice(0, 2), key.slice(2, 4))
    expect(await readdir(below)).toEqual([key])
    await rm(folder, { recursive: true })
  })

  it('deletes what a death in the middle of writing left', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rookery-disk-'))
    const storage = diskStorage({ folder })
    const key = makeKey('png')
    await writeFile(join(folder, 'local'), 'x')
    await storage.put(key, join(folder, 'local'))
    const unfinished = join(folder, key.slice(0, 2), key.slice(2, 4), `${key}.unfinished`)
    await writeFile(unfinished, 'half')
    await storage.remove(key)
    await expect(stat(unfinished)).rejects.toThrow('ENOENT')
    await rm(folder, { recursive: true })
  })
})
