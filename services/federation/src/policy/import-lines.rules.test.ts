import { expect, it } from 'vitest'
import type { Severity } from './domain-block.rules.ts'
import { type ImportLine, outcomesOf } from './import-lines.rules.ts'

const line = (domain: string, severity = 'suspend', more: Partial<ImportLine> = {}): ImportLine => ({
  line: 0,
  domain,
  severity,
  rejectMedia: false,
  rejectReports: false,
  publicComment: '',
  obfuscate: false,
  ...more,
})

const block = (severity: Severity) => ({ severity, rejectMedia: false, rejectReports: false })

it.each([
  ['new domains are blocked', [line('a.example'), line('b.example', 'silence')], ['done', 'done']],
  ['an empty severity is the strictest, in any case', [line('A.Example', ''), line('b.example', ' Silence ')], ['done', 'done']],
  [
    'what names no server, this one, or no severity is invalid',
    [line('a b'), line('here.example'), line('c.example', 'odd')],
    Array(3).fill('invalid'),
  ],
  ['a domain twice is known the second time', [line('a.example'), line('a.example', 'silence')], ['done', 'known']],
  ['a subdomain is known unless it is to be limited more', [line('x.mild.example', 'noop'), line('y.mild.example')], ['known', 'done']],
  ['a block that is there stays as it is', [line('mild.example')], ['known']],
] as const)('%s', (_name, lines, outcomes) => {
  expect(outcomesOf(lines, new Map([['mild.example', block('silence')]]), 'here.example').outcomes).toEqual(outcomes)
})

it('blocks are made with what their lines say', () => {
  const lines = [line('a.example', 'silence', { rejectMedia: true, publicComment: ' spam ', obfuscate: true }), line('b.example')]
  expect(outcomesOf(lines, new Map(), 'here.example').blocks).toEqual([
    { domain: 'a.example', severity: 'silence', rejectMedia: true, rejectReports: false, publicComment: 'spam', obfuscate: true },
    { domain: 'b.example', severity: 'suspend', rejectMedia: false, rejectReports: false, publicComment: null, obfuscate: false },
  ])
})
