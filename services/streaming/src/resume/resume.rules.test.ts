import { expect, test } from 'vitest'
import { objectionTo, openingPosition } from './resume.rules.ts'

const at = (time: number, epoch = 'aaaaaaaa', sequence = 0) => ({ epoch, time, sequence })
const ARRIVED = { at: 5000, coveredSince: 2000 }

test.each([
  ['none', undefined, undefined, 'unknown'],
  ['of another epoch', at(3000, 'bbbbbbbb'), undefined, 'unknown'],
  ['of the future', at(15_001), undefined, 'unknown'],
  ['of a clock that is a little ahead', at(15_000), undefined, undefined],
  ['beyond the head, by the time of the store', at(6001), { ...ARRIVED, at: 7000 }, undefined],
  ['of the future, by the time of the store', at(7001), { ...ARRIVED, at: 7000 }, 'unknown'],
  ['of a stream of everyone’s posts', at(100), undefined, undefined],
  ['since the account is listened for', at(2000), ARRIVED, undefined],
  ['of the moment before its first arrival, where its stream began', at(1999), ARRIVED, undefined],
  ['from before that', at(1998), ARRIVED, 'expired'],
])('a position %s: %j', (_which, after, arrival, objection) => {
  expect(objectionTo(after, { arrival, head: at(6000), now: 10_000 })).toBe(objection)
})

test('a stream begins at what was delivered, and one of a person’s own not before the person arrived', () => {
  expect(openingPosition(at(4000), undefined)).toEqual(at(4000))
  expect(openingPosition(at(6000), ARRIVED)).toEqual(at(6000))
  expect(openingPosition(at(4000), ARRIVED)).toMatchObject({ epoch: 'aaaaaaaa', time: 4999 })
})
