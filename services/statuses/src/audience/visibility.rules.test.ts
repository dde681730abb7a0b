import { Visibility } from '@rookery/contracts/statuses'
import { expect, test } from 'vitest'
import { isDirect, isOpen, isPrivate, isPublic, isStated } from './visibility.rules.ts'

const { PUBLIC, UNLISTED, PRIVATE, DIRECT, UNSPECIFIED } = Visibility

test.each([
  [PUBLIC, { open: true, public: true, private: false, direct: false }],
  [UNLISTED, { open: true, public: false, private: false, direct: false }],
  [PRIVATE, { open: false, public: false, private: true, direct: false }],
  [DIRECT, { open: false, public: false, private: false, direct: true }],
  [UNSPECIFIED, { open: false, public: false, private: false, direct: false }],
])('visibility %s is %o', (visibility, expected) =>
  expect({
    open: isOpen(visibility),
    public: isPublic(visibility),
    private: isPrivate(visibility),
    direct: isDirect(visibility),
  }).toEqual(expected),
)

test.each([PUBLIC, UNLISTED, PRIVATE, DIRECT])('visibility %s says who sees a status', (visibility) =>
  expect(isStated(visibility)).toBe(true),
)
test('a status of no visibility does not say who sees it', () => expect(isStated(UNSPECIFIED)).toBe(false))
