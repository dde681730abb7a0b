import { Visibility } from '@rookery/contracts/statuses'
import { expect, test } from 'vitest'
import { pinFault } from './pin.rules.ts'

const OWN = { authorId: 'mara', visibility: Visibility.PUBLIC, reblogOfId: null }

test.each([
  ['an own public post', OWN, 0, undefined],
  ['an own private post', { ...OWN, visibility: Visibility.PRIVATE }, 0, undefined],
  ['the fifth', OWN, 4, undefined],
  ['the sixth', OWN, 5, 'You have already pinned the maximum number of posts'],
  ['a boost', { ...OWN, reblogOfId: '7' }, 0, 'A boost cannot be pinned'],
  ["another's post", { ...OWN, authorId: 'joel' }, 0, "Someone else's post cannot be pinned"],
  ['a direct post', { ...OWN, visibility: Visibility.DIRECT }, 0, 'Posts that are only visible to mentioned users cannot be pinned'],
])('pinning %s', (_what, status, pinned, fault) => expect(pinFault(status, 'mara', pinned)).toBe(fault))
