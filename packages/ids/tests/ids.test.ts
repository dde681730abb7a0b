import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareIds, idAtTime, isId, snowflakes, timeOfId, uuidv7 } from '../src/index.ts'

const LATEST = 4_102_444_800_000
const moment = fc.integer({ min: 0, max: LATEST })

describe('ids', () => {
  test('rise, regardless of the clock', () => {
    fc.assert(
      fc.property(fc.array(moment, { minLength: 1, maxLength: 50 }), (times) => {
        let now = 0
        const ids = snowflakes(() => now)
        const made = times.flatMap((time) => {
          now = time
          return [ids.next(), ids.next()]
        })
        for (const [index, id] of made.entries()) {
          expect(isId(id)).toBe(true)
          if (index > 0) expect(compareIds(made[index - 1]!, id)).toBeLessThan(0)
        }
      }),
    )
  })

  test('rise also when a millisecond holds no more', () => {
    const ids = snowflakes(() => 1_700_000_000_000)
    const made = Array.from({ length: 70_000 }, () => BigInt(ids.next()))
    expect(made.every((id, index) => index === 0 || id > made[index - 1]!)).toBe(true)
  })

  test('hold when they were made, and a moment has a lowest id', () => {
    fc.assert(
      fc.property(moment, (time) => {
        const id = snowflakes(() => time).next()
        expect(timeOfId(id)).toBe(time)
        expect(timeOfId(idAtTime(time))).toBe(time)
        expect(compareIds(idAtTime(time), id)).toBeLessThanOrEqual(0)
        expect(compareIds(id, idAtTime(time + 1))).toBeLessThan(0)
      }),
    )
  })

  test('of a time beyond all ids is the largest one', () => {
    for (const day of ['6429-10-18', '9999-12-31']) expect(isId(idAtTime(Date.parse(day)))).toBe(true)
  })

  test('two processes hardly ever make the same', () => {
    const made = Array.from({ length: 100 }, () => snowflakes(() => 1_700_000_000_000).next())
    expect(new Set(made).size).toBeGreaterThan(95)
  })

  test('are ordered as numbers are', () => {
    const id = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })
    fc.assert(
      fc.property(id, id, (a, b) => {
        expect(Math.sign(compareIds(String(a), String(b)))).toBe(a < b ? -1 : a > b ? 1 : 0)
      }),
    )
  })

  test.each(['0', '1', '9223372036854775807'])('%s is an id', (text) => expect(isId(text)).toBe(true))
  test.each(['', '-1', '1.0', '1e3', ' 1', '0x1', 'a', '9223372036854775808', '1'.repeat(30), '１'])('%j is none', (text) => {
    expect(isId(text)).toBe(false)
  })

  test('events have UUIDs of version 7, sorted by time', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: 1, max: 1000 }), (time, later) => {
        expect(uuidv7(time)).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
        expect(uuidv7(time) < uuidv7(time + later)).toBe(true)
      }),
    )
  })
})
