import { Visibility } from '@rookery/contracts/statuses'
import { describe, expect, test } from 'vitest'
import { boostVisibility, mayBoost } from './reblog.rules.ts'

const { PUBLIC, UNLISTED, PRIVATE, DIRECT, UNSPECIFIED } = Visibility

describe('a status may be boosted', () => {
  test.each([
    [PUBLIC, 'another', true],
    [UNLISTED, 'another', true],
    [PRIVATE, 'another', false],
    [DIRECT, 'another', false],
    [PUBLIC, 'author', true],
    [PRIVATE, 'author', true],
    [DIRECT, 'author', false],
  ])('of visibility %s by %s: %s', (visibility, booster, expected) =>
    expect(mayBoost({ visibility, authorId: 'author' }, booster)).toBe(expected),
  )
})

describe('the visibility of a boost', () => {
  test.each([
    ['as asked', UNLISTED, PUBLIC, PRIVATE, UNLISTED],
    ['by preference when the request does not say', UNSPECIFIED, PUBLIC, PRIVATE, PRIVATE],
    ['private for a private status, regardless of what is asked', PUBLIC, PRIVATE, PUBLIC, PRIVATE],
  ])('is %s', (_what, asked, original, preference, expected) => expect(boostVisibility(asked, original, preference)).toBe(expected))
})
