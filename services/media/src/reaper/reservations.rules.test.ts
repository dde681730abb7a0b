import { expect, test } from 'vitest'
import { reservationChanges } from './reservations.rules.ts'

const scheduled = (mediaIds: string[], releasedMediaIds: string[] = []) => ({
  scheduledId: '7',
  accountId: '1',
  mediaIds,
  releasedMediaIds,
})
const of = (...mediaIds: string[]) => mediaIds.map((mediaId) => ({ mediaId, subjectId: '7', ownerId: '1' }))
const none = { scheduled: [], published: [], cancelled: [] }

test.each([
  ['a first one', [scheduled(['10', '11'])], [], of('10', '11')],
  ['one that lets a file go', [scheduled(['11'], ['10'])], of('10'), of('11')],
  ['the last of two about one', [scheduled(['10']), scheduled(['11'], ['10'])], of('10', '10'), of('11')],
  ['a file that goes and comes back', [scheduled(['10']), scheduled([], ['10']), scheduled(['10'])], [], of('10')],
])('%s says what is kept', (_name, events, dropped, kept) => {
  expect(reservationChanges({ ...none, scheduled: events })).toEqual({ dropped, kept, moved: [], ended: [] })
})

test('a status that was scheduled takes over, one of now does not, and a cancelled one ends', () => {
  const published = [
    { statusId: '9', scheduledId: '7' },
    { statusId: '8', scheduledId: undefined },
  ]
  const cancelled = [{ scheduledId: '6', accountId: '1' }]
  expect(reservationChanges({ ...none, published, cancelled })).toEqual({
    dropped: [],
    kept: [],
    moved: [{ from: '7', to: '9' }],
    ended: ['6'],
  })
})
