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
    ['following', 'Notify on new posts,Account address\ntrue,mara@x\n', [{ line: 2, cells: ['mara@x', '', 'true'] }]],
    ['blocks', 'Note,Account address\nx,mara@x\ny,\n', [{ line: 2, cells: ['mara@x'] }]],
    ['lists', 'Account address,List name\nmara@x,Tea\n', [{ line: 2, cells: ['Tea', 'mara@x'] }]],
    ['lists', '#name,#account\nTea,mara@x\n', [{ line: 2, cells: ['Tea', 'mara@x'] }]],
    ['bookmarks', '#note,#uri\nx,HTTPS://x.example/1\n', [{ line: 2, cells: ['HTTPS://x.example/1'] }]],
    ['domain_blocks', '#severity,#domain\nsuspend,bad.example\n', [{ line: 2, cells: ['bad.example'] }]],
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
    ['blocks', 'List name,Account address\nTea,mara@x\n'],
    ['blocks', '#uri\nmara@x\n'],
    ['blocks', '#domain\nmara@x\n'],
    ['blocks', 'a mara@x\nmara@x/y\n'],
    ['bookmarks', 'see https://x.example/1\n'],
    ['domain_blocks', 'on bad.example\nbad.example/x\n'],
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
