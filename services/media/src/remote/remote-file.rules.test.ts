import { LIMITS } from '@rookery/contracts/limits'
import { describe, expect, test } from 'vitest'
import {
  extensionOfType,
  fileAt,
  hourOf,
  isLongAsked,
  isRemoteFile,
  maxRemoteBytes,
  type PathParts,
  pathOf,
  pauseOfHost,
  prunedBefore,
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

  test.each(['original', 'preview', 'avatar', 'header', 'emoji'] as const)('stands still where a %s may move', (purpose) => {
    const isProfile = purpose !== 'original' && purpose !== 'preview'
    const path = pathOf(KEY, { ...file, purpose }, { isStill: true })
    expect(path.split('/')[3]).toBe(isProfile ? `${purpose}_static` : purpose)
    expect(fileAt(KEY, partsOf(path))).toMatchObject({ ...file, purpose, isStill: isProfile })
    expect(fileAt(KEY, partsOf(pathOf(KEY, { ...file, purpose })))).toMatchObject({ ...file, purpose, isStill: false })
  })

  test('may be as long as an address and a domain may be', () => {
    const longest = { ...file, domain: 'd'.repeat(259), url: 'https://far.example/'.padEnd(2048, 'a') }
    expect(fileAt(KEY, partsOf(pathOf(KEY, longest)))).toMatchObject(longest)
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
  ['https://far.example/'.padEnd(2048, 'a'), true],
  ['https://far.example/'.padEnd(2049, 'a'), false],
])('%s can be asked for: %s', (url, expected) => expect(isRemoteFile({ domain: 'far.example', url })).toBe(expected))

test.each([
  ['the longest', 'd'.repeat(259), true],
  ['one that is too long', 'd'.repeat(260), false],
  ['one with a line break', 'far.example\n', false],
])('a file of a domain can be asked for: %s', (_which, domain, expected) =>
  expect(isRemoteFile({ domain, url: 'https://far.example/' })).toBe(expected),
)

const MEGABYTE = 1024 * 1024
test.each([
  ['original', false, LIMITS.media.motionBytes],
  ['preview', false, LIMITS.media.imageBytes],
  ['preview', true, 40 * MEGABYTE],
  ['avatar', true, LIMITS.media.profileImageBytes],
  ['header', false, LIMITS.media.profileImageBytes],
  ['emoji', true, MEGABYTE],
] as const)('of a file that is the %s (motion: %s) at most %d bytes are fetched', (purpose, hasMotion, most) =>
  expect(maxRemoteBytes(purpose, { hasMotion })).toBe(most),
)

test('the time of the last request is known to the day, and files are kept for some days after it', () => {
  const DAY = 86_400_000
  expect(isLongAsked(new Date(0), DAY)).toBe(false)
  expect(isLongAsked(new Date(0), DAY + 1)).toBe(true)
  expect(prunedBefore(10 * DAY, 3)).toEqual(new Date(7 * DAY))
  expect(hourOf(2 * 3_600_000 + 5)).toBe(2 * 3_600_000)
})

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
