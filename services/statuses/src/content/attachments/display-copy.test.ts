import { expect, test } from 'vitest'
import type { StoredAttachment } from '../../database/tables/status.ts'
import { mayStandTogether } from './display-copy.ts'

const files = (...types: string[]) => types.map((type) => ({ type }) as StoredAttachment)

test.each([
  [['image', 'gifv', 'image', 'unknown'], true],
  [['video'], true],
  [['audio'], true],
  [['image', 'video'], false],
  [['audio', 'gifv'], false],
  [['video', 'video'], false],
  [[], true],
])('files of the types %j may be shown together: %s', (types, expected) => expect(mayStandTogether(files(...types))).toBe(expected))
