import { createHash, timingSafeEqual } from 'node:crypto'
import type { FoundCode } from './code.store.ts'

/** What is sent to exchange a code. */
type Exchange = { clientId: string; redirectUri: string; codeVerifier: string | undefined }

/** A verifier and a challenge alike (RFC 7636, 4.1 and 4.2). */
const VERIFIER = /^[\w.~-]{43,128}$/

/** Whether an app's request has a challenge of S256 or none at all (RFC 7636, 4.3). */
export const isChallengeKnown = (challenge: string | undefined, method: string | undefined): boolean =>
  challenge === undefined ? method === undefined : method === 'S256' && VERIFIER.test(challenge)

const isEqual = (one: string, other: string) => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** A verifier without a challenge is refused too: the challenge may have been taken out on the way (RFC 9700, 4.8.2). */
const isVerified = (challenge: string | undefined, verifier: string | undefined): boolean => {
  if (challenge === undefined || verifier === undefined) return challenge === verifier
  return VERIFIER.test(verifier) && isEqual(challenge, createHash('sha256').update(verifier).digest('base64url'))
}

/** Whether a code belongs to this app, this redirect URI and this verifier (RFC 6749, 4.1.3; RFC 7636, 4.6). */
export const fits = (code: FoundCode, exchange: Exchange): boolean =>
  code.clientId === exchange.clientId && code.redirectUri === exchange.redirectUri && isVerified(code.codeChallenge, exchange.codeVerifier)

/**
 * Whether an exchange that arrived so many milliseconds ago came after the code was used. Concurrent exchanges, as when a browser sends a
 * page twice, fail without revoking anything.
 */
export const isReplay = ({ usedMillisecondsAgo }: FoundCode, arrivedMillisecondsAgo: number): boolean =>
  usedMillisecondsAgo !== undefined && usedMillisecondsAgo > arrivedMillisecondsAgo
