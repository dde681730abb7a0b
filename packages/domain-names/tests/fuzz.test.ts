import { CSV_HEADER, csvLineOf, domainLines, domainName } from '@rookery/domain-names'
import { expectLessProcessorTime } from '@rookery/test-cost'
import fc from 'fast-check'
import { expect, it } from 'vitest'

const RUNS = { seed: Number(process.env['FUZZ_SEED'] ?? 20_260_505), numRuns: 3000 }
const file = fc.array(
  fc.oneof(
    fc.constantFrom('"', '""', ',', '\n', '\r\n', '\r', '#domain', '#severity', 'a.example', '\ufeff', '\0', 'true'),
    fc.string({ maxLength: 6 }),
  ),
  { maxLength: 30 },
)

it('any file is read as lines that name something', () => {
  fc.assert(
    fc.property(file, (parts) => {
      for (const { domain } of domainLines(parts.join(''))) expect(domain).not.toBe('')
    }),
    RUNS,
  )
})

it('any comment that is saved is read again', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), (comment) => {
      const block = {
        domain: 'a.example',
        severity: 'silence',
        reject_media: false,
        reject_reports: true,
        public_comment: comment,
        obfuscate: false,
      }
      expect([...domainLines(CSV_HEADER + csvLineOf(block))]).toMatchObject([
        { domain: 'a.example', publicComment: comment.trim(), rejectReports: true },
      ])
    }),
    RUNS,
  )
})

it.each(['"', '""', '"a""', '",', '"\n', '"",', '"""\n', ',', '\r'])('a megabyte of %j is read in time', async (part) => {
  const file = part.repeat(Math.ceil(1_000_000 / part.length))
  await expectLessProcessorTime(5000, () => {
    for (const _line of domainLines(file));
  })
})

it('any text is a name of the DNS or is none', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.domain()), (text) => {
      expect(domainName(text) ?? 'a.example').toMatch(/^[a-z0-9.-]{1,253}$/)
    }),
    RUNS,
  )
})
