import { expect, test } from 'vitest'
import { ipBlockColumns, newIpBlock, refuseOwnAddress } from './ip-block.rules.ts'

const NOW = Date.parse('2026-11-22T10:00:00Z')
const ASKED = { network: '192.0.2.7/24', severity: 'no_access', callerAddress: '198.51.100.1', staffId: '1' }

test('a new block has its network cleared behind the prefix, and lasts unless it says otherwise', () => {
  expect(newIpBlock(ASKED, NOW)).toEqual({ network: '192.0.2.0/24', severity: 'no_access', expiresAt: null, createdAt: new Date(NOW) })
})

test.each([
  [60, new Date(NOW + 60_000)],
  [1, new Date(NOW + 1000)],
  [0, null],
  [Number.MAX_SAFE_INTEGER, new Date(NOW + 100 * 366 * 86_400_000)],
])('a block of %d seconds ends at %s', (expiresInSeconds, expiresAt) =>
  expect(ipBlockColumns({ expiresInSeconds }, NOW)).toEqual({ expiresAt }),
)

test('nothing that is not said is changed', () => expect(ipBlockColumns({}, NOW)).toStrictEqual({}))

test('what is said is changed, a comment also to none', () =>
  expect(ipBlockColumns({ comment: '', severity: 'sign_up_block' }, NOW)).toStrictEqual({ comment: '', severity: 'sign_up_block' }))

test.each([
  [{ ...ASKED, network: 'tea' }, /Ip is invalid/],
  [{ ...ASKED, severity: 'tea' }, /Severity is not included in the list/],
  [{ ...ASKED, network: '', severity: 'tea' }, /Ip is invalid, Severity is not included in the list/],
  [{ ...ASKED, callerAddress: '192.0.2.99' }, /Ip contains your own address/],
])('%j is refused', (settings, sentence) => expect(() => newIpBlock(settings, NOW)).toThrow(sentence))

test('a block that only concerns sign-ups may contain the own address', () => {
  expect(() => refuseOwnAddress({ network: '192.0.2.0/24', severity: 'sign_up_block' }, '192.0.2.99')).not.toThrow()
})
