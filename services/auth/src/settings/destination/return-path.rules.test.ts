import { expect, it } from 'vitest'
import { returnPath } from './return-path.rules.ts'

it.each([
  ['/admin', '/admin'],
  ['/admin/reports?resolved=true&max_id=12', '/admin/reports?resolved=true&max_id=12'],
  ['/settings', '/settings'],
  ['/disputes/strikes/12', '/disputes/strikes/12'],
  ['/administrators', undefined],
  ['//elsewhere.example/admin', undefined],
  ['https://elsewhere.example/admin', undefined],
  ['/admin\r\nSet-Cookie: a=b', undefined],
  ['/admin//elsewhere.example', undefined],
  ['/oauth/authorize', undefined],
  ['', undefined],
  [undefined, undefined],
])('%j leads back to %j', (text, path) => expect(returnPath(text)).toBe(path))
