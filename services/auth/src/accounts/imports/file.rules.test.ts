import { describe, expect, it } from 'vitest'
import { readFile } from './file.rules.ts'
import { MAX_LINES } from './line.rules.ts'

describe('a file', () => {
  it.each([
    ['following', '\uFEFFAccount address,Show boosts\r\nmara@x,true\r\n\r\n', [{ line: 2, cells: ['mara@x', 'true'] }]],
    [
      'blocks',
      'mara@x\n\njoel@x\n',
      [
        { line: 1, cells: ['mara@x'] },
        { line: 3, cells: ['joel@x'] },
      ],
    ],
    ['mutes', ' mara@x , true ', [{ line: 1, cells: ['mara@x', 'true'] }]],
    ['mutes', 'Hide notifications,Account address\n,mara\n', [{ line: 2, cells: ['mara', ''] }]],
    [
      'following',
      'Languages,Account address\nde,mara@x\nen,\n',
      [
        { line: 2, cells: ['mara@x', '', '', 'de'] },
        { line: 3, cells: ['', '', '', 'en'] },
      ],
    ],
    ['lists', 'Tea,mara@x\n', [{ line: 1, cells: ['Tea', 'mara@x'] }]],
    ['domain_blocks', '#domain,#severity\nbad.example,suspend\n', [{ line: 2, cells: ['bad.example'] }]],
    ['bookmarks', '#address\nhttps://x.example/1\n', [{ line: 2, cells: ['https://x.example/1'] }]],
  ])('of %s that says %j is read as %j', (kind, text, lines) => expect(readFile(kind, text)).toEqual(lines))

  it.each([
    ['blocks', 'Account address,Show boosts\nmara@x,true\n'],
    ['following', 'Account address,Hide notifications\nmara@x,true\n'],
    ['following', 'Tea,mara@x\n'],
    ['mutes', 'https://x.example/1\n'],
    ['following', 'bad.example\n'],
    ['lists', 'mara@x\n'],
    ['domain_blocks', 'mara@x\n'],
    ['bookmarks', 'bad.example\n'],
    ['passwords', 'mara@x\n'],
  ])('that holds no %s is refused: %j', (kind, text) => expect(readFile(kind, text)).toBe('otherKind'))

  it.each([
    ['nothing', ''],
    ['only names of columns', 'Account address,Show boosts\n'],
    ['a zero', 'mara@x\0\n'],
    ['too many lines', 'mara@x\n'.repeat(MAX_LINES + 1)],
    ['many too many below names', `#address\n${'mara@x\n'.repeat(3 * MAX_LINES)}`],
  ])('with %s is unreadable', (_what, text) => expect(readFile('following', text)).toBe('unreadable'))

  it.each(['', '#address\n'])('with as many lines as may be is read, below %j', (names) =>
    expect(readFile('following', names + 'mara@x\n'.repeat(MAX_LINES))).toHaveLength(MAX_LINES),
  )
})
