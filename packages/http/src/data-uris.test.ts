import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dataOf, keepDataUris } from './data-uris.ts'
import { createUploads, type Uploads } from './uploads.ts'
import type { Values } from './values.ts'

const uri = (text: string, type = 'image/png') => `data:${type};base64,${Buffer.from(text).toString('base64')}`

describe('a data URI', () => {
  test.each([
    ['in base64', uri('one'), ['image/png', 'one']],
    ['with parameters', 'data:text/plain;charset=utf-8;base64,b25l', ['text/plain', 'one']],
    ['without a type', 'data:;base64,b25l', ['', 'one']],
  ])('%s is a file', (_case, value, [contentType, text]) => {
    const data = dataOf(value)
    expect([data?.contentType, data?.bytes.toString()]).toEqual([contentType, text])
  })

  test.each([
    ['percent-encoded', 'data:text/plain,one'],
    ['without bytes', 'data:image/png;base64,'],
    ['that breaks off', 'data:image/png;base64'],
    ['of another scheme', 'https://a.example/;base64,b25l'],
    ['that is no text', 7],
  ])('%s is none', (_case, value) => {
    expect(dataOf(value)).toBeUndefined()
  })
})

describe('of values', () => {
  let folder: string
  let uploads: Uploads
  const before = process.env['TMPDIR']
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-data-'))
    process.env['TMPDIR'] = folder
    uploads = createUploads()
  })
  afterEach(async () => {
    await uploads.remove()
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    await rm(folder, { recursive: true })
  })
  const keep = (values: Values, names: string[], maxBytes = 10) =>
    keepDataUris(values, names, uploads, { maxBytes, tooLarge: () => new Error('too large') })
  const textOf = async (field: string) => readFile(uploads.files.get(field)!.path, 'utf8')

  test('a file is kept by the name it came by, and what is no name of a file stays text', async () => {
    const values = { avatar: uri('one'), note: uri('two'), header: 'https://a.example/b.png' }
    await keep(values, ['avatar', 'header'])
    expect(values).toStrictEqual({ avatar: undefined, note: uri('two'), header: 'https://a.example/b.png' })
    expect([[...uploads.files.keys()], await textOf('avatar')]).toEqual([['avatar'], 'one'])
  })

  test('files in a list are named by their values, and no more are taken than there are names', async () => {
    const entries: { x: string }[] = ['one', 'two', 'three'].map((text) => ({ x: uri(text) }))
    await keep({ list: [null, ...entries] }, ['list[][x]', 'list[][x]'])
    expect(entries[2]!.x).toBe(uri('three'))
    expect(await Promise.all(entries.slice(0, 2).map(({ x }) => textOf(x)))).toEqual(['one', 'two'])
  })

  test('one over the bound is refused', async () => {
    await expect(keep({ avatar: uri('x'.repeat(11)) }, ['avatar'])).rejects.toThrow('too large')
  })
})
