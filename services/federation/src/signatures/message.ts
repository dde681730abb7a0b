import type { KeyObject } from 'node:crypto'

/** Headers by lower-case name. */
export type Headers = { readonly [name: string]: string | readonly string[] | undefined }

/** A request whose signature is to be verified. */
export type SignedMessage = {
  readonly method: string
  /** The public address of the request; signatures cover its scheme and host. */
  readonly url: URL
  /** Path and query as sent. */
  readonly target: string
  readonly headers: Headers
  /** Undefined for a request without a body. */
  readonly body?: Buffer | undefined
}

/** A request to sign, with additional headers. */
export type UnsignedRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly body?: Buffer | undefined
  readonly contentType?: string
  readonly more?: Readonly<Record<string, string>>
}

/** The private key and its id. */
export type SigningKey = { readonly keyId: string; readonly privateKey: KeyObject }

/** A parsed signature, before its key is known. */
export type ReadSignature = {
  readonly kind: SignatureKind
  readonly keyId: string
  readonly algorithm: SignatureAlgorithm
  /** The strings that the key may have signed, in order of likelihood. */
  readonly bases: readonly string[]
  readonly signature: Buffer
}

/** draft-cavage-http-signatures-12, or RFC 9421. */
export type SignatureKind = 'cavage' | 'rfc9421'

/**
 * The algorithm of a signature. `rsa-v1_5-sha256` is RSASSA-PKCS1-v1_5 with SHA-256, which servers also mean by hs2019; `by-key` follows
 * from the type of the key.
 */
export type SignatureAlgorithm = 'rsa-v1_5-sha256' | 'rsa-pss-sha512' | 'ed25519' | 'by-key'

/** A request has no valid signature. The message is sent to the client. */
export class SignatureError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SignatureError'
  }
}

/** Twelve hours: how long a signature is valid, in milliseconds. */
export const MAX_AGE = 12 * 3_600_000
/** Maximum clock skew, in milliseconds. */
const CLOCK_SKEW = 3_600_000

/** The value of a header; repeated ones are joined as in signatures (draft-cavage-12, 2.3). Undefined if missing. */
export const headerOf = ({ headers }: Pick<SignedMessage, 'headers'>, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'object' ? value.map((each) => each.trim()).join(', ') : value?.trim()
}

/** @throws SignatureError for a signature that is expired or of the future; times in milliseconds since 1970 */
export const checkTimes = ({ signedAt, expiresAt, now }: { signedAt: number; expiresAt: number | undefined; now: number }): void => {
  if (!Number.isFinite(signedAt) || Number.isNaN(expiresAt)) throw new SignatureError('the time of the signature is not understood')
  if (signedAt > now + CLOCK_SKEW) throw new SignatureError('the signature is of a time that is to come')
  const end = Math.min(expiresAt ?? Number.POSITIVE_INFINITY, signedAt + MAX_AGE)
  if (end + CLOCK_SKEW < now) throw new SignatureError('the signature is too old')
}
