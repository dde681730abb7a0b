import { expect, test } from 'vitest'
import { handlesElsewhere } from './resolve-mentions.ts'

test.each([
  ['@mara and @joel@birds.example are of this server', []],
  ['@ann@far.example, @ANN@Far.example and @bob@other.example', ['ann@far.example', 'bob@other.example']],
  ['mail@far.example is no mention', []],
  [
    '@a@1.example @b@2.example @c@3.example @d@4.example @e@5.example @f@6.example',
    ['a@1.example', 'b@2.example', 'c@3.example', 'd@4.example', 'e@5.example'],
  ],
])('%s', (text, handles) => expect(handlesElsewhere(text, 'https://birds.example')).toEqual(handles))
