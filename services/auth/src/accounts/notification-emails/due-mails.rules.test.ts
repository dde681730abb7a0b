import { describe, expect, it } from 'vitest'
import { dueMails, MAX_MAILS_AN_HOUR, type Stored } from './due-mails.rules.ts'
import { DEFAULT_CHOICES } from './mail-kinds.ts'

const HOUR = 3_600_000
const NOW = 500_000 * HOUR + 5
const WISH = { ...DEFAULT_CHOICES, accountId: '1', mention: true, hour: 0, sentInHour: 0 }
const stored = (more: Partial<Stored> = {}): Stored => ({
  accountId: '1',
  id: '7',
  type: 'mention',
  actorId: '2',
  statusId: '3',
  storedAt: NOW,
  ...more,
})

describe('a notification', () => {
  it('is mailed to those who asked for its type, and counted', () => {
    expect(dueMails([stored()], [WISH], NOW)).toEqual({
      mails: [{ accountId: '1', notificationId: '7', kind: 'mention', actorId: '2', statusId: '3' }],
      counted: [{ ...WISH, hour: 500_000, sentInHour: 1 }],
    })
  })

  it.each([
    ['of a type that was not asked for', { type: 'follow' }],
    ['of a type that is never mailed', { type: 'favourite' }],
    ['of someone who asked for nothing', { accountId: '5' }],
    ['of the day before', { storedAt: NOW - 25 * HOUR }],
  ])('%s is not mailed', (_case, more) => {
    expect(dueMails([stored(more)], [WISH], NOW)).toEqual({ mails: [], counted: [] })
  })

  it.each([
    ['those of this hour count', 500_000, MAX_MAILS_AN_HOUR - 4, 4],
    ['those of another hour do not', 499_999, MAX_MAILS_AN_HOUR, MAX_MAILS_AN_HOUR],
  ])('is not mailed beyond so many an hour; %s', (_case, hour, sentInHour, mailed) => {
    const many = Array.from({ length: 20 }, (_, place) => stored({ id: String(place) }))
    const { mails, counted } = dueMails(many, [{ ...WISH, hour, sentInHour }], NOW)
    expect(mails).toHaveLength(mailed)
    expect(counted).toEqual([{ ...WISH, hour: 500_000, sentInHour: MAX_MAILS_AN_HOUR }])
  })
})
