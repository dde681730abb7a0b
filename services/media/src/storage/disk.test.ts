import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keysOfKilled } from '../../tests/killed-writer.ts'
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

  it('has what it acknowledged after kill -9', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rookery-disk-'))
    await writeFile(join(folder, 'local'), randomBytes(200_000))
    // Stores one file after the other and prints the key of each acknowledged one.
    const script = `
      import { diskStorage } from ${JSON.stringify(import.meta.resolve('./disk.ts'))}
      import { makeKey } from ${JSON.stringify(import.meta.resolve('./storage.ts'))}
      const storage = diskStorage({ folder: ${JSON.stringify(join(folder, 'files'))} })
      for (;;) { const key = makeKey('png'); await storage.put(key, ${JSON.stringify(join(folder, 'local'))}); console.log(key) }`
    const keys = await keysOfKilled(script)
    const storage = diskStorage({ folder: join(folder, 'files') })
    for (const key of keys) expect((await storage.open(key))?.size).toBe(200_000)
    await rm(folder, { recursive: true })
  })

  it.skipIf(!existsSync('/dev/full'))('leaves nothing of a file that cannot be written', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rookery-disk-'))
    const storage = diskStorage({ folder })
    const key = makeKey('png')
    const below = join(folder, key.slice(0, 2), key.slice(2, 4))
    await mkdir(below, { recursive: true })
    await symlink('/dev/full', join(below, `${key}.unfinished`))
    await writeFile(join(folder, 'local'), 'x'.repeat(100_000))
    await expect(storage.put(key, join(folder, 'local'))).rejects.toThrow()
    expect(await readdir(below)).toEqual([])
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
