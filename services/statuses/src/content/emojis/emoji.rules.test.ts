import { describe, expect, test } from 'vitest'
import { shortcodesIn } from './emoji.rules.ts'

describe('the emojis of texts', () => {
  test.each([
    [':blob:', ['blob']],
    ['hi :blob_cat: and :Blob2:, :blob_cat:!', ['blob_cat', 'Blob2']],
    ['(:blob:)\n:ant:', ['blob', 'ant']],
    [':blob: :ant:', ['blob', 'ant']],
    [':blob::ant:', []],
    ['at 10:30:45', []],
    ['a:blob:', []],
    [':blob:s', []],
    [':b:', []],
    [':blob-cat:', []],
    [': blob :', []],
    ['https://example.org/:80:/x', ['80']],
    ['é:blob:', []],
  ])('%j holds %j', (text, expected) => {
    expect(shortcodesIn([text])).toEqual(expected)
  })

  test('are named once for all of them', () => {
    expect(shortcodesIn([':ant: :blob:', ':blob: :cat:'])).toEqual(['ant', 'blob', 'cat'])
  })

  test.each([':', 'a', ':a', ':aa', 'a:', ':aa:'])('are found at once in very many %j', (piece) => {
    const text = piece.repeat(500_000 / piece.length)
    const before = process.cpuUsage()
    shortcodesIn([text])
    // A thousand times what it takes; anything quadratic takes minutes.
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000)
  })
})
