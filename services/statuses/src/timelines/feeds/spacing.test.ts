import { MAX_ID } from '@rookery/database'
import { idAtTime } from '@rookery/ids'
import { describe, expect, test } from 'vitest'
import type { Look } from './look.rules.ts'
import { keepSpacing } from './spacing.ts'

const NOW = Date.UTC(2026, 5, 1)
/** An id some seconds ago. */
const ago = (seconds: number) => idAtTime(NOW - seconds * 1000)
const secondsAgo = (id: string) => Math.round((NOW - Number(BigInt(id) >> 16n)) / 1000)
const lookAt = (part: Partial<Look> = {}): Look => ({ below: MAX_ID, above: '0', guess: MAX_ID, size: 60, count: 20, ...part })

/** The spacing of 'ann', whose last sixty statuses took ten minutes. */
const known = () => {
  const spacing = keepSpacing({ now: () => NOW })
  spacing.note('ann', 'desc', lookAt(), { looked: 60, lookedTo: ago(600) })
  return spacing
}

describe('how far apart statuses lie', () => {
  test('is not guessed of those nothing is known of', () => {
    expect(known().guess('ben', 'desc', lookAt())).toEqual(lookAt())
  })

  test('says as far as where as many lie, and a quarter further', () => {
    expect(secondsAgo(known().guess('ann', 'desc', lookAt({ size: 120 })).guess)).toBe(1500)
    expect(secondsAgo(known().guess('ann', 'desc', lookAt({ below: ago(10_000) })).guess)).toBe(10_750)
  })

  test('is not asked where the same is looked at again: as far as it was seen', () => {
    const spacing = known()
    expect(spacing.guess('ann', 'desc', lookAt()).guess).toBe(ago(600))
    expect(spacing.guess('ann', 'desc', lookAt({ size: 25 })).guess).toBe(ago(600))
    const older = lookAt({ below: ago(5000) })
    spacing.note('ann', 'desc', older, { looked: 60, lookedTo: ago(5010) })
    expect(spacing.guess('ann', 'desc', older).guess).toBe(ago(5010))
    expect(spacing.guess('ann', 'desc', lookAt()).guess).toBe(ago(600))
  })

  test('is asked where so much more or less is wanted that what was seen is no help', () => {
    expect(secondsAgo(known().guess('ann', 'desc', lookAt({ size: 180 })).guess)).toBe(2250)
    expect(secondsAgo(known().guess('ann', 'desc', lookAt({ size: 10 })).guess)).toBe(125)
  })

  test('upwards from the other bound, as far as now at most', () => {
    const upwards = (above: string) => known().guess('ann', 'asc', lookAt({ above, guess: above })).guess
    expect(secondsAgo(upwards(ago(10_000)))).toBe(9250)
    expect(upwards(ago(700))).toBe(MAX_ID)
  })

  test('is everything where everything was seen', () => {
    const spacing = known()
    spacing.note('ann', 'desc', lookAt(), { looked: 59, lookedTo: ago(600) })
    expect(spacing.guess('ann', 'desc', lookAt()).guess).toBe('0')
    spacing.note('ann', 'desc', lookAt(), { looked: 0, lookedTo: null })
    expect(spacing.guess('ann', 'desc', lookAt()).guess).toBe('0')
  })

  test.each<[string, 'asc' | 'desc', Partial<Look>, number]>([
    ['what ended at a bound', 'desc', { above: ago(900) }, 3],
    ['what was read upwards', 'asc', {}, 60],
  ])('is not learnt from %s', (_, order, part, looked) => {
    const spacing = known()
    spacing.note('ann', order, lookAt(part), { looked, lookedTo: ago(5) })
    expect(spacing.guess('ann', 'desc', lookAt()).guess).toBe(ago(600))
    expect(secondsAgo(spacing.guess('ann', 'desc', lookAt({ size: 120 })).guess)).toBe(1500)
  })
})
