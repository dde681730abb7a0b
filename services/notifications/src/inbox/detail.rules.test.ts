import { expect, test } from 'vitest'
import { hasDetail, reportIdOf } from './detail.rules.ts'

test.each([
  ['moderation_warning', true, null],
  ['severed_relationships', true, null],
  ['admin.report', false, '7'],
  ['mention', false, '7'],
])('a notification of type %s says itself what it is about: %s', (type, has, reportId) => {
  expect([hasDetail(type), reportIdOf({ type, reportId: '7' })]).toEqual([has, reportId])
})
