import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { fits, isChallengeKnown, isReplay } from './code.rules.ts'

const VERIFIER = 'v'.repeat(43)
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

const CODE = { clientId: 'app', accountId: '1', redirectUri: 'https://app.example/', scope: 'read', usedMillisecondsAgo: undefined }
const WITH_CHALLENGE = { ...CODE, codeChallenge: challengeOf(VERIFIER) }
const EXCHANGE = { clientId: 'app', redirectUri: 'https://app.example/', codeVerifier: undefined }

describe('a code fits an exchange', () => {
  test.each([
    ['of the same app and address', CODE, EXCHANGE, true],
    ['not of another app', CODE, { ...EXCHANGE, clientId: 'other' }, false],
    ['not for another address', CODE, { ...EXCHANGE, redirectUri: 'https://app.example/x' }, false],
    ['with the verifier of its challenge', WITH_CHALLENGE, { ...EXCHANGE, codeVerifier: VERIFIER }, true],
    ['not with another verifier', WITH_CHALLENGE, { ...EXCHANGE, codeVerifier: 'w'.repeat(43) }, false],
    ['not without the verifier of its challenge', WITH_CHALLENGE, EXCHANGE, false],
    ['not with a verifier when it has no challenge', CODE, { ...EXCHANGE, codeVerifier: VERIFIER }, false],
    [
      'not with a verifier that is too short',
      { ...CODE, codeChallenge: challengeOf('v'.repeat(42)) },
      { ...EXCHANGE, codeVerifier: 'v'.repeat(42) },
      false,
    ],
    [
      'not with a verifier that is too long',
      { ...CODE, codeChallenge: challengeOf('v'.repeat(129)) },
      { ...EXCHANGE, codeVerifier: 'v'.repeat(129) },
      false,
    ],
  ])('%s', (_which, code, exchange, expected) => expect(fits(code, exchange)).toBe(expected))
})

describe('an exchange is a replay', () => {
  test.each([
    ['not while the code is unused', undefined, 5, false],
    ['when it arrived after the code was used', 10, 5, true],
    ['not when it arrived before the code was used', 5, 10, false],
    ['not when it arrived at the same moment', 5, 5, false],
    ['not while the answer to the first is under way', -1, 5, false],
  ])('%s', (_when, usedMillisecondsAgo, arrived, expected) => expect(isReplay({ ...CODE, usedMillisecondsAgo }, arrived)).toBe(expected))
})

test.each([
  ['without a challenge', undefined, undefined, true],
  ['with a challenge by S256', challengeOf(VERIFIER), 'S256', true],
  ['not with a challenge in plain text', VERIFIER, 'plain', false],
  ['not with a challenge by no method', challengeOf(VERIFIER), undefined, false],
  ['not with a method without a challenge', undefined, 'S256', false],
  ['not with a challenge that can be none', 'short', 'S256', false],
])('a person may be asked %s', (_how, challenge, method, expected) => expect(isChallengeKnown(challenge, method)).toBe(expected))
