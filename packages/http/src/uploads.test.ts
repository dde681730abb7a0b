import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createUploads, removeAbandonedUploads } from './uploads.ts'

const before = process.env['TMPDIR']
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rookery-uploads-'))
  process.env['TMPDIR'] = folder
})
afterEach(async () => {
  if (before === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = before
  await rm(folder, { recursive: true })
})

const bound = { maxBytes: 10, tooLarge: () => new Error('too large') }
const file = (field: string, name = 'a.png') => ({ field, name, contentType: 'image/png' })

test('what a killed process left an hour ago is removed, and nothing newer', async () => {
  const [old, fresh] = [join(folder, 'rookery-upload-old'), join(folder, 'rookery-upload-fresh')]
  await mkdir(old)
  await writeFile(join(old, '0'), 'half')
  await mkdir(fresh)
  await utimes(old, new Date(), new Date(Date.now() - 3_700_000))
  await removeAbandonedUploads()
  expect(await readdir(folder)).toEqual(['rookery-upload-fresh'])
})

test('files are kept until they are removed, and a field left empty is none', async () => {
  const uploads = createUploads()
  for (const [field, text] of [
    ['a', 'one'],
    ['b', 'two'],
  ] as const) {
    const sink = uploads.sink(file(field), bound)
    for (const letter of text) await sink.write(Buffer.from(letter))
    await sink.end()
  }
  await uploads.sink(file('c', ''), bound).end()
  await uploads.sink(file('d', 'empty.png'), bound).end()
  expect([...uploads.files.keys()]).toEqual(['a', 'b', 'd'])
  expect(await readFile(uploads.files.get('b')!.path, 'utf8')).toBe('two')
  expect(await readFile(uploads.files.get('d')!.path, 'utf8')).toBe('')
  await uploads.remove()
  expect(await readdir(folder)).toEqual([])
})

test('a file over its bound is refused, and what came of it removed', async () => {
  const uploads = createUploads()
  const sink = uploads.sink(file('a'), bound)
  await sink.write(Buffer.alloc(10))
  await expect(sink.write(Buffer.alloc(1))).rejects.toThrow('too large')
  await uploads.remove()
  expect(await readdir(folder)).toEqual([])
})
