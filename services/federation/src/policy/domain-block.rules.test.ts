import { describe, expect, it } from 'vitest'
import { obfuscated } from './domain-block.rules.ts'

describe('obfuscated', () => {
  it.each([
    ['mastodon.example', 'masto***.***mple'],
    ['example.com', 'exa****.*om'],
    ['a.io', 'a.*o'],
    ['a', 'a'],
    ['', ''],
  ])('%s is shown as %s', (domain, shown) => expect(obfuscated(domain)).toBe(shown))
})
