import type { KeyObject } from 'node:crypto'

/** Headers by their names in lower case. */
export type Headers = { readonly [name: string]: string | readonly string[] | undefined }

/** A request as its signature covers it. */
export type SignedMessage = {
  readonly method: string
  /** Scheme, host and path with its query, as the sender knows the address. */
  readonly url: URL
  /** Path and query as they are on the wire. */
  readonly target: string
  readonly headers: Headers
  /** Undefined for a request without a body. */
  readonly body?: Buffer | undefined
}

/** A request to sign, with further headers. */
export type UnsignedRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly body?: Buffer | undefined
  readonly contentType?: string
  readonly more?: Readonly<Record<string, string>>
}

/** The key that signs, and its id. */
export type SigningKey = { readonly keyId: string; readonly privateKey: KeyObject }

/** A parsed signature, before its key is known. */
export type ReadSignature = {
  readonly kind: SignatureKind
  readonly keyId: string
  readonly algorithm: SignatureAlgorithm
  /** What the key must have signed, in order of likelihood. */
  readonly bases: readonly string[]
  readonly signature: Buffer
}

/** draft-cavage-http-signatures-12, or RFC 9421. */
export type SignatureKind = 'cavage' | 'rfc9421'

/** `rsa` stands for PKCS #1 v1.5 with SHA-256, which servers mean by hs2019 too. */
export type SignatureAlgorithm = 'rsa-v1_5-sha256' | 'rsa-pss-sha512' | 'ed25519' | 'by-key'

/** A request is not signed as it must be. The text is for the sender. */
export class SignatureError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SignatureError'
  }
}

/** Twelve hours: how long a signature is good for, in milliseconds. */
export const MAX_AGE = 12 * 3_600_000
/** How far clocks may be apart, in milliseconds. */
const CLOCK_SKEW = 3_600_000

/** The single value of a header; repeated ones are joined as they are signed (draft-cavage-12, 2.3). Undefined where there is none. */
export const headerOf = ({ headers }: Pick<SignedMessage, 'headers'>, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'object' ? value.map((each) => each.trim()).join(', ') : value?.trim()
}

/** @throws SignatureError for a signature of a time that is too far from now; both in milliseconds since 1970 */
export const checkTimes = ({ signedAt, expiresAt, now }: { signedAt: number; expiresAt: number | undefined; now: number }): void => {
  if (!Number.isFinite(signedAt) || Number.isNaN(expiresAt)) throw new SignatureError('the time of the signature is not understood')
  if (signedAt > now + CLOCK_SKEW) throw new SignatureError('the signature is of a time that is to come')
  const end = Math.min(expiresAt ?? Number.POSITIVE_INFINITY, signedAt + MAX_AGE)
  if (end + CLOCK_SKEW < now) throw new SignatureError('the signature is too old')
}
