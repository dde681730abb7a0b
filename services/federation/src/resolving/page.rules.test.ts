import { expect, test } from 'vitest'
import { urisOfPage } from './page.rules.ts'

test.each([
  ['a status', 'https://far.example/@ann/12', ['https://far.example/users/ann/statuses/12']],
  ['a profile', 'https://far.example/@ann', ['https://far.example/users/ann']],
  ['a profile with a slash and a port', 'https://far.example:8443/@ann/', ['https://far.example:8443/users/ann']],
  ['what is below a status', 'https://far.example/@ann/12/embed', []],
  ['someone of a third server', 'https://far.example/@ann@other.example/12', []],
  ['anything else', 'https://far.example/notes/9x', []],
  ['no address', 'ann', []],
])('the uris of the page of %s', (_case, address, others) => {
  expect(urisOfPage(address)).toEqual([address, ...others])
})
