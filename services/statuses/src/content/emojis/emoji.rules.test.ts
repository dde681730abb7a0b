import { expectLessProcessorTime } from '@rookery/test-cost'
import { describe, expect, test } from 'vitest'
import { emojiFaults, emojisIn, shortcodesIn } from './emoji.rules.ts'

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

  test.each([':', 'a', ':a', ':aa', 'a:', ':aa:'])('are found at once in very many %j', async (piece) => {
    const text = piece.repeat(500_000 / piece.length)
    // A thousand times the usual cost; quadratic time would take minutes.
    await expectLessProcessorTime(5000, () => shortcodesIn([text]))
  })
})

test.each([
  ['those its texts hold', [':ant: there'], ['ant']],
  ['those of every text', [':ant:', ':blob:'], ['ant', 'blob']],
  ['none without a text', [], []],
])('a status shows %s', (_which, texts, shown) => {
  expect(emojisIn(texts, [{ shortcode: 'ant' }, { shortcode: 'blob' }]).map(({ shortcode }) => shortcode)).toEqual(shown)
})

describe('a picture becomes an emoji', () => {
  const picture = (bytes: number) => new Uint8Array(bytes)
  test.each([
    ['with two letters and 256 KB', { shortcode: 'ab', picture: picture(262_144) }, []],
    ['not with one letter', { shortcode: 'a', picture: picture(1) }, ['Shortcode must be 2 to 128 letters, digits or underscores']],
    ['not with other signs', { shortcode: 'a-b', picture: picture(1) }, ['Shortcode must be 2 to 128 letters, digits or underscores']],
    ['not without bytes', { shortcode: 'ab', picture: picture(0) }, ["File can't be blank"]],
    ['not with more bytes', { shortcode: 'ab', picture: picture(262_145) }, ['File must be less than 256 KB']],
  ])('%s', (_how, made, faults) => expect(emojiFaults(made)).toEqual(faults))
})
