import { describe, expect, test } from 'vitest'
import {
  extensionOfType,
  fileAt,
  isRemoteFile,
  type PathParts,
  pathOf,
  pauseOfHost,
  type RemoteFile,
  retryDelayOfFile,
} from './remote-file.rules.ts'

const KEY = Buffer.alloc(32, 1)
const file: RemoteFile = { purpose: 'avatar', domain: 'far.example:8443', url: 'https://files.far.example/a.png?v=1#2' }

const partsOf = (path: string): PathParts => {
  const [, , , variant = '', digest = '', place = ''] = path.split('/')
  return { variant, digest, place }
}

describe('the path of a file elsewhere', () => {
  test('says which file it is, and whether it stands still', () => {
    const digest = expect.stringMatching(/^[\w-]{22}$/)
    expect(fileAt(KEY, partsOf(pathOf(KEY, file)))).toEqual({ ...file, digest, isStill: false })
    expect(fileAt(KEY, partsOf(pathOf(KEY, file, { isStill: true })))).toEqual({ ...file, digest, isStill: true })
    expect(pathOf(KEY, { ...file, purpose: 'original' }, { isStill: true })).toMatch(/^\/media\/remote\/original\//)
  })

  const parts = partsOf(pathOf(KEY, file))
  test.each([
    ['of another key', () => fileAt(Buffer.alloc(32, 2), parts)],
    ['of another purpose', () => fileAt(KEY, { ...parts, variant: 'original' })],
    ['of no purpose', () => fileAt(KEY, { ...parts, variant: 'constructor' })],
    ['of another place', () => fileAt(KEY, { ...parts, place: Buffer.from('a\nhttps://b.example/').toString('base64url') })],
    ['without a domain', () => fileAt(KEY, { ...parts, place: Buffer.from('https://b.example/').toString('base64url') })],
    ['with a shorter signature', () => fileAt(KEY, { ...parts, digest: parts.digest.slice(1) })],
    ['with none', () => fileAt(KEY, { ...parts, digest: '' })],
    ['that is endless', () => fileAt(KEY, { ...parts, place: 'a'.repeat(1_000_000) })],
  ])('means nothing %s', (_which, read) => expect(read()).toBeUndefined())
})

test.each([
  ['https://far.example/a.png', true],
  ['http://far.example/a.png', true],
  ['https://me:secret@far.example/', false],
  ['javascript:alert(1)', false],
  ['data:image/png;base64,AAAA', false],
  ['file:///etc/passwd', false],
  ['', false],
  [`https://far.example/${'a'.repeat(2048)}`, false],
])('%s can be asked for: %s', (url, expected) => expect(isRemoteFile({ domain: 'far.example', url })).toBe(expected))

test.each([
  ['image/png', 'png'],
  ['video/quicktime', 'mov'],
  ['image/heic', undefined],
  ['image/svg+xml', undefined],
  ['text/html', undefined],
  ['constructor', undefined],
])('%s is passed on as %s', (type, extension) => expect(extensionOfType(type)).toBe(extension))

test('waits grow to a day for a file and to six hours for a host, which rests from its third failure', () => {
  const minutes = (milliseconds: number) => milliseconds / 60_000
  expect([1, 2, 3, 8, 9, 100].map((failures) => minutes(retryDelayOfFile(failures)))).toEqual([10, 20, 40, 1280, 1440, 1440])
  expect([0, 1, 2, 3, 4, 5, 20, 1000].map((failures) => minutes(pauseOfHost(failures)))).toEqual([0, 0, 0, 1, 2, 4, 360, 360])
})
