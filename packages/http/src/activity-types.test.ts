import { expect, test } from 'vitest'
import { wantsActivity, wantsPage } from './activity-types.ts'

test.each([
  ['application/activity+json', true, false],
  ['application/ld+json; profile="https://www.w3.org/ns/activitystreams"', true, false],
  ['application/activity+json, application/ld+json', true, false],
  ['application/activity+json, text/html;q=0.1', true, false],
  ['text/html, application/activity+json;q=0.9', false, true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false, true],
  ['APPLICATION/Activity+JSON', true, false],
  ['application/activity+json;q=0', false, false],
  ['application/json', false, false],
  ['*/*', false, false],
  ['', false, false],
  [undefined, false, false],
])('%s', (accept, activity, page) => {
  expect([wantsActivity(accept), wantsPage(accept)]).toEqual([activity, page])
})
