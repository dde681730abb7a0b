import { QuotePolicy, Visibility } from '@rookery/contracts/statuses'
import { describe, expect, test } from 'vitest'
import { changedRequest, dayOf, limitFaults, refuseBeyondTime, timeFaults } from './scheduled.rules.ts'

const at = (time: string) => Date.parse(`2026-11-21T${time}Z`)
const TOO_SOON = ['Scheduled at The scheduled date must be in the future']

test.each([
  ['12:05:00.000', '12:00:00.000', []],
  ['12:05:00.000', '12:00:00.999', []],
  ['12:05:00.999', '12:00:00.000', []],
  ['12:04:59.999', '12:00:00.000', TOO_SOON],
  ['12:05:00.000', '12:00:01.000', TOO_SOON],
  ['12:00:00.000', '12:00:00.000', TOO_SOON],
  ['11:59:59.000', '12:00:00.000', TOO_SOON],
])('%s said at %s', (asked, now, faults) => {
  expect(timeFaults(at(asked), at(now))).toEqual(faults)
})

test.each([
  [Date.UTC(9999, 11, 31, 23, 59, 59, 999), false],
  [Date.UTC(10_000, 0, 1), true],
  [Number.MAX_SAFE_INTEGER, true],
  [Number.NaN, true],
  [-1, false],
])('%d is beyond time: %s', (moment, isBeyond) => {
  const look = () => refuseBeyondTime(moment)
  if (isBeyond) expect(look).toThrow('Invalid date supplied')
  else expect(look).not.toThrow()
})

test('a day is that of UTC', () => {
  const day = { begins: new Date(at('00:00:00.000')), ends: new Date(at('00:00:00.000') + 86_400_000) }
  expect(dayOf(new Date(at('00:00:00.000')))).toEqual(day)
  expect(dayOf(new Date(at('23:59:59.999')))).toEqual(day)
})

test.each([
  [{ inAll: 299, onDay: 24 }, []],
  [{ inAll: 300, onDay: 0 }, ['You have exceeded the limit of 300 scheduled posts']],
  [{ inAll: 25, onDay: 25 }, ['You have exceeded the limit of 25 scheduled posts for today']],
])('one more than %j', (others, faults) => {
  expect(limitFaults(others)).toEqual(faults)
})

describe('a change', () => {
  const before = {
    text: 'tea',
    spoilerText: 'drinks',
    sensitive: true,
    visibility: Visibility.UNLISTED,
    language: 'de',
    inReplyToId: '7',
    quotedStatusId: '8',
    quotePolicy: QuotePolicy.FOLLOWERS,
    poll: { options: ['1', '2'], expiresInSeconds: 300, isMultiple: false, hidesTotals: false },
    authorId: '2',
    mediaIds: ['5'],
    idempotencyKey: '',
    application: undefined,
  }
  const nothing = { id: '1', viewerId: '2', isDraft: false }

  test('of nothing leaves all', () => {
    expect(changedRequest(before, nothing)).toEqual(before)
  })

  test('takes away what is given empty', () => {
    const emptied = changedRequest(before, {
      ...nothing,
      text: '',
      spoilerText: '',
      sensitive: false,
      language: '',
      inReplyToId: '',
      media: { ids: [] },
      poll: {},
    })
    const nothingLeft = { text: '', spoilerText: '', sensitive: false, language: '', inReplyToId: '', mediaIds: [], poll: undefined }
    expect(emptied).toEqual({ ...before, ...nothingLeft })
  })
})
