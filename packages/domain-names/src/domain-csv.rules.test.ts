import { expect, it } from 'vitest'
import { CSV_HEADER, csvLineOf, domainLines } from './domain-csv.rules.ts'

const line = (domain: string, more: object = {}) => ({
  domain,
  severity: '',
  rejectMedia: false,
  rejectReports: false,
  publicComment: '',
  obfuscate: false,
  ...more,
})

it.each([
  ['', []],
  ['a.example\r\n\r\nb.example', [line('a.example'), line('b.example')]],
  ['#domain,#severity\na.example,silence\n', [line('a.example', { severity: 'silence' })]],
  ['\uFEFF#severity,#domain\nnoop,a.example', [line('a.example', { severity: 'noop' })]],
  ['#domain,#public_comment\na.example,"loud, ""very""\nloud"', [line('a.example', { publicComment: 'loud, "very"\nloud' })]],
  ['#domain,#reject_media,#obfuscate\na.example,True,1', [line('a.example', { rejectMedia: true, obfuscate: true })]],
  ['#domain,#reject_media,#reject_reports\na.example,no,YES', [line('a.example', { rejectReports: true })]],
  ['Domain,Severity\na.example,silence\n', [line('a.example', { severity: 'silence' })]],
  ['a.example\ndomain\n#b.example', [line('a.example'), line('domain'), line('#b.example')]],
  [',silence\n', []],
  ['a.example\n"b.example\nc.example', [line('a.example'), line('"b.example'), line('c.example')]],
])('%j holds %j', (text, lines) => expect([...domainLines(text)]).toEqual(lines))

it('what is saved is read again', () => {
  const block = {
    domain: 'a.example',
    severity: 'suspend',
    reject_media: true,
    reject_reports: true,
    public_comment: 'a,"b"\nc',
    obfuscate: true,
  }
  expect([...domainLines(CSV_HEADER + csvLineOf(block))]).toEqual([
    line('a.example', { severity: 'suspend', rejectMedia: true, rejectReports: true, publicComment: 'a,"b"\nc', obfuscate: true }),
  ])
})
