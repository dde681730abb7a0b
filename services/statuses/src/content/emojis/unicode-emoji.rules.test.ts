import { expect, test } from 'vitest'
import { unicodeEmoji } from './unicode-emoji.rules.ts'

test.each([
  ['one of a single character', '👍', '👍'],
  ['with a skin tone', '👍🏽', '👍🏽'],
  ['with a skin tone in place of a variation selector', '☝🏽', '☝🏽'],
  ['of several people', '👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦'],
  ['of people with skin tones', '👩🏾‍🤝‍👨🏻', '👩🏾‍🤝‍👨🏻'],
  ['a flag of a country', '🇩🇪', '🇩🇪'],
  ['a flag of a region', '🏴󠁧󠁢󠁷󠁬󠁳󠁿', '🏴󠁧󠁢󠁷󠁬󠁳󠁿'],
  ['a flag of two emojis', '🏳️‍🌈', '🏳️‍🌈'],
  ['the same without its variation selector', '🏳‍🌈', '🏳️‍🌈'],
  ['a keycap', '1️⃣', '1️⃣'],
  ['the same without its variation selector', '1⃣', '1️⃣'],
  ['a heart', '❤️', '❤️'],
  ['a heart without its variation selector', '❤', '❤️'],
  ['with a variation selector that it needs not', '👍️', '👍'],
  ['with one in the middle', '👁️‍🗨️', '👁️‍🗨️'],
])('%s is an emoji: %j', (_what, text, expected) => expect(unicodeEmoji(text)).toBe(expected))

test.each([
  ['', 'nothing'],
  ['a', 'a letter'],
  ['1', 'a digit'],
  ['#', 'a sign'],
  ['blob', 'a word'],
  [':+1:', 'a shortcode between colons'],
  ['👍👍', 'two emojis'],
  ['👍a', 'an emoji and a letter'],
  [' 👍', 'an emoji and a space'],
  ['🇩', 'half a flag'],
  ['🇽🇽', 'a flag of no country'],
  ['\u200d', 'what joins emojis'],
  ['\ufe0f', 'what selects a variation'],
  ['❤\ufe0e', 'a heart as text'],
  ['👩\u200d🍕', 'a sequence that no one shows'],
  ['👍'.repeat(100_000), 'very many'],
])('%j is no emoji, but %s', (text) => expect(unicodeEmoji(text)).toBeUndefined())

test('no emoji of Unicode is too long', () => {
  const longest = '👩🏻‍❤️‍💋‍👩🏿'
  expect(unicodeEmoji(longest)).toBe(longest)
})
