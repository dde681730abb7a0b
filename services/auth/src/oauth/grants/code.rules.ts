import { createHash, timingSafeEqual } from 'node:crypto'
import type { FoundCode } from './code.store.ts'

/** The parameters of a token request. */
type Exchange = { clientId: string; redirectUri: string; codeVerifier: string | undefined }

/** The form of both verifier and challenge (RFC 7636, 4.1 and 4.2). */
const VERIFIER = /^[\w.~-]{43,128}$/

/** Whether a request has a challenge by S256, or none (RFC 7636, 4.3). */
export const isChallengeKnown = (challenge: string | undefined, method: string | undefined): boolean =>
  challenge === undefined ? method === undefined : method === 'S256' && VERIFIER.test(challenge)

const isEqual = (one: string, other: string) => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** A verifier without a challenge is refused too: an attacker may have removed the challenge from the request (RFC 9700, 4.8.2). */
const isVerified = (challenge: string | undefined, verifier: string | undefined): boolean => {
  if (challenge === undefined || verifier === undefined) return challenge === verifier
  return VERIFIER.test(verifier) && isEqual(challenge, createHash('sha256').update(verifier).digest('base64url'))
}

/** Whether a code was issued to this client, redirect URI and verifier (RFC 6749, 4.1.3; RFC 7636, 4.6). */
export const fits = (code: FoundCode, exchange: Exchange): boolean =>
  code.clientId === exchange.clientId && code.redirectUri === exchange.redirectUri && isVerified(code.codeChallenge, exchange.codeVerifier)

/**
 * Whether an exchange, by the time since its arrival in milliseconds, arrived after the code's exchange was answered. Concurrent exchanges,
 * as when a browser sends a page twice, fail without revoking anything.
 */
export const isReplay = ({ usedMillisecondsAgo }: FoundCode, arrivedMillisecondsAgo: number): boolean =>
  usedMillisecondsAgo !== undefined && usedMillisecondsAgo > arrivedMillisecondsAgo
