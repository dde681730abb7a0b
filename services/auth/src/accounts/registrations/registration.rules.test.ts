import { describe, expect, test } from 'vitest'
import { allViolations, inOrderOfFields, scopesOfNewcomer } from './registration.rules.ts'

const POLICY = { needsReason: false, blockedEmailDomains: ['Blocked.example'], isByOperator: false }
const OPERATOR = { ...POLICY, isByOperator: true }
const GOOD = { username: 'mara', email: 'mara@birds.example', password: 'eight ch', hasAgreed: true, locale: 'en', reason: '' }

describe('a sign-up is taken', () => {
  test.each([
    ['with everything', {}, POLICY],
    ['with a username of 30 characters', { username: 'a'.repeat(30) }, POLICY],
    ['with a password of 72 characters', { password: '🐦'.repeat(72) }, POLICY],
    ['with a reason of 420 characters', { reason: 'a'.repeat(420) }, POLICY],
    ['with a reason where one is needed', { reason: 'tea' }, { ...POLICY, needsReason: true }],
    ['with a domain that only ends like a blocked one', { email: 'mara@unblocked.example' }, POLICY],
    ['with a reserved username by an operator', { username: 'admin' }, OPERATOR],
    ['without agreement by an operator', { hasAgreed: false }, OPERATOR],
    ['with a blocked domain by an operator', { email: 'mara@blocked.example' }, OPERATOR],
  ])('%s', (_what, more, policy) => expect(allViolations({ ...GOOD, ...more }, policy)).toEqual([]))
})

describe('a sign-up is refused', () => {
  test.each([
    ['without a username', { username: ' ' }, 'username', 'ERR_BLANK', "can't be blank"],
    [
      'with other signs in the username',
      { username: 'ma-ra' },
      'username',
      'ERR_INVALID',
      'must contain only letters, numbers and underscores',
    ],
    ['with a long username', { username: 'a'.repeat(31) }, 'username', 'ERR_TOO_LONG', 'is too long (maximum is 30 characters)'],
    ['with a reserved username', { username: 'Admin' }, 'username', 'ERR_RESERVED', 'is reserved'],
    ['without an address', { email: '' }, 'email', 'ERR_BLANK', "can't be blank"],
    ['with an address that is none', { email: 'mara' }, 'email', 'ERR_INVALID', 'is invalid'],
    ['with a long address', { email: `${'a'.repeat(251)}@b.c` }, 'email', 'ERR_TOO_LONG', 'is too long (maximum is 254 characters)'],
    ['with a blocked domain', { email: 'm@blocked.example' }, 'email', 'ERR_BLOCKED', 'contains a disallowed e-mail provider'],
    [
      'with a domain under a blocked one',
      { email: 'm@x.blocked.example' },
      'email',
      'ERR_BLOCKED',
      'contains a disallowed e-mail provider',
    ],
    ['without a password', { password: '' }, 'password', 'ERR_BLANK', "can't be blank"],
    ['with a short password', { password: 'seven c' }, 'password', 'ERR_TOO_SHORT', 'is too short (minimum is 8 characters)'],
    ['with a long password', { password: 'a'.repeat(73) }, 'password', 'ERR_TOO_LONG', 'is too long (maximum is 72 characters)'],
    ['without agreement', { hasAgreed: false }, 'agreement', 'ERR_ACCEPTED', 'must be accepted'],
    ['without a locale', { locale: '' }, 'locale', 'ERR_BLANK', "can't be blank"],
    ['with a locale that is none', { locale: 'xx' }, 'locale', 'ERR_INCLUSION', 'is not included in the list'],
    ['with a long reason', { reason: 'a'.repeat(421) }, 'reason', 'ERR_TOO_LONG', 'is too long (maximum is 420 characters)'],
    ['with a reason that no database keeps', { reason: 'a\0' }, 'reason', 'ERR_INVALID', 'is invalid'],
  ])('%s', (_what, more, field, code, description) =>
    expect(allViolations({ ...GOOD, ...more }, POLICY)).toEqual([{ field, code, description }]),
  )

  test('without a reason where one is needed', () => {
    expect(allViolations(GOOD, { ...POLICY, needsReason: true })).toEqual([
      { field: 'reason', code: 'ERR_BLANK', description: "can't be blank" },
    ])
  })

  test('with its faults in the order of the fields', () => {
    const violations = allViolations({ ...GOOD, username: '', email: '', reason: 'a\0' }, POLICY)
    expect(inOrderOfFields(violations.toReversed()).map(({ field }) => field)).toEqual(['username', 'email', 'reason'])
  })
})

test.each([
  [
    ['read', 'write'],
    ['read', 'write'],
  ],
  [
    ['read:statuses', 'push'],
    ['read:statuses', 'push'],
  ],
  [['read', 'admin:read', 'admin:write:accounts'], ['read']],
])('of the scopes %j of an app a new account gets %j', (scopes, given) => expect(scopesOfNewcomer(scopes)).toEqual(given))
