import { describe, expect, test } from 'vitest'
import {
  claimedExpiry,
  endedBefore,
  expiryOfUpload,
  faultsOf,
  isInUse,
  mayClaim,
  mayStandTogether,
  unclaimedExpiry,
} from './attachment.rules.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

test.each([
  ['of a description of 1500 characters', { description: 'a'.repeat(1500) }, []],
  ['of a description of 1500 emojis of many code points', { description: '👩‍👩‍👧'.repeat(1500) }, []],
  ['of a description of 1501 characters', { description: 'a'.repeat(1501) }, ['Description is too long (maximum is 1500 characters)']],
  ['of a focus on a corner', { focus: { x: -1, y: 1 } }, []],
  ['of a focus beside the picture', { focus: { x: 1.01, y: 0 } }, ['Focus must be between -1.0 and 1.0']],
  ['of a focus below the picture', { focus: { x: 0, y: -1.01 } }, ['Focus must be between -1.0 and 1.0']],
  ['of a focus that is no number', { focus: { x: Number.NaN, y: 0 } }, ['Focus must be between -1.0 and 1.0']],
])('the faults %s', (_what, given, faults) => expect(faultsOf(given)).toEqual(faults))

test('a file that nothing shows lives a day, a thumbnail an hour, what is gone seven days', () => {
  expect(unclaimedExpiry(0)).toEqual(new Date(DAY))
  expect(expiryOfUpload('attachment', 0)).toEqual(new Date(DAY))
  expect(expiryOfUpload('thumbnail', 0)).toEqual(new Date(HOUR))
  expect(endedBefore(10 * DAY)).toEqual(new Date(3 * DAY))
})

type Row = Parameters<typeof mayClaim>[0]
const row = (parts: Partial<Row>) => ({ purpose: 'attachment', subjectId: null, claimedAt: null, expiresAt: null, ...parts }) as Row

test.each([
  ['emojis never go', [row({ purpose: 'emoji' })], null],
  ['others go after seven days without a sign', [row({ purpose: 'emoji' }), row({})], new Date(7 * DAY)],
])('of claimed files %s', (_what, rows, expected) => expect(claimedExpiry(rows, 0)).toEqual(expected))

describe('a status may have a file', () => {
  const claimed = (ago: number, expiresAt: Date | null = new Date(7 * DAY)) =>
    row({ subjectId: '8', claimedAt: new Date(2 * HOUR - ago), expiresAt })
  test.each([
    ['that nothing claimed', row({}), true],
    ['that it claimed itself', row({ subjectId: '7' }), true],
    ['not that another claimed an hour ago', claimed(HOUR), false],
    ['that another claimed longer ago without a sign of it', claimed(HOUR + 1), true],
    ['never that another shows', claimed(2 * HOUR, null), false],
  ])('%s', (_which, each, expected) => expect(mayClaim(each, '7', 2 * HOUR)).toBe(expected))
})

test.each([
  ['not while nothing claims it', row({}), false],
  ['while something claimed it', row({ subjectId: '8', claimedAt: new Date(0), expiresAt: new Date(DAY) }), true],
  ['while something shows it', row({ subjectId: '8', claimedAt: new Date(0) }), true],
])('a file is in use %s', (_when, each, expected) => expect(isInUse(each, 0)).toBe(expected))

test.each([
  [['image', 'gifv', 'image', 'unknown'], true],
  [['video'], true],
  [['audio'], true],
  [['image', 'video'], false],
  [['audio', 'gifv'], false],
  [['video', 'video'], false],
  [[], true],
])('files of the types %j may be shown together: %s', (types, expected) => expect(mayStandTogether(types)).toBe(expected))
