import { describe, expect, it } from 'vitest'
import { countCharacters } from './index.ts'

const COUNTS: [text: string, count: number][] = [
  ['', 0],
  ['tea', 3],
  ['a\r\nb\rc\n', 6],
  ['é', 1],
  ['e\u0301', 1],
  ['日本語', 3],
  ['👨‍👩‍👧‍👦', 1],
  ['🇩🇪🇫🇷', 2],
  ['👍🏽', 1],
  ['#️⃣', 1],
  ['हिन्दी', 2],
  ['https://example.com', 23],
  [`https://example.com/${'a'.repeat(200)} tea`, 27],
  [`https://example.com/${'a'.repeat(5000)}`, 5020],
  ['http://word', 11],
  ['@mara@else.example', 5],
  ['@mara', 5],
  ['mara@else.example', 17],
  ['#tea', 4],
  ['\u0000\ud800', 2],
  [`e${'\u0301'.repeat(63)}`, 1],
  [`e${'\u0301'.repeat(640)}`, 11],
]

describe('countCharacters', () => {
  it.each(COUNTS)('counts %j as %d', (text, count) => expect(countCharacters(text)).toBe(count))
})
