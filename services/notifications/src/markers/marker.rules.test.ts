import { describe, expect, test } from 'vitest'
import { isMarked, nextMarkers } from './marker.rules.ts'

test.each([
  ['home', true],
  ['notifications', true],
  ['public', false],
  ['', false],
])('the timeline %j has a marker: %s', (timeline, expected) => expect(isMarked(timeline)).toBe(expected))

describe('positions change', () => {
  const current = [{ timeline: 'home', lastReadId: '10', version: 4, updatedAt: new Date(0) }]
  const to = (timeline: string, lastReadId: string) => ({ timeline, lastReadId })
  test.each([
    ['a marker by one version', [to('home', '11')], [{ timeline: 'home', lastReadId: '11', version: 5 }]],
    ['a marker back to an older id', [to('home', '9')], [{ timeline: 'home', lastReadId: '9', version: 5 }]],
    ['a first marker to version 1', [to('notifications', '3')], [{ timeline: 'notifications', lastReadId: '3', version: 1 }]],
    ['nothing where the marker stands already', [to('home', '10')], []],
    ['nothing where zeros lead to the same id', [to('home', '0010')], []],
  ])('%s', (_what, positions, next) => expect(nextMarkers(positions, current)).toEqual(next))

  test.each(['', 'x', '-1', '99999999999999999999'])('nothing when %j is no id', (lastReadId) => {
    expect(() => nextMarkers([to('home', lastReadId)], [])).toThrow('last_read_id is not a valid id')
  })
})
