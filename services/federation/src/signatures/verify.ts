import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { readCavage } from './cavage.ts'
import { type ReadSignature, SignatureError, type SignedMessage } from './message.ts'
import { readRfc9421 } from './rfc9421.ts'

/**
 * Reads the signature of a request, by RFC 9421 if it has Signature-Input, else by draft-cavage-12. Checks its coverage, its time and the
 * digest of the body; `isSignedBy` verifies it with the key. `now` in milliseconds since 1970. @throws SignatureError
 */
export const readSignature = (message: SignedMessage, now: number): ReadSignature => {
  if (message.headers['signature-input'] !== undefined) return readRfc9421(message, now)
  if (message.headers['signature'] === undefined) throw new SignatureError('the request is not signed')
  return readCavage(message, now)
}

/** Smaller keys are considered insecure. */
const MIN_RSA_BITS = 2048

const keyOf = (publicKeyPem: string): KeyObject | undefined => {
  try {
    return createPublicKey(publicKeyPem)
  } catch {
    return undefined
  }
}

const isFit = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject, minBits: number): boolean => {
  if (asymmetricKeyType === 'ed25519') return true
  return (asymmetricKeyType === 'rsa' || asymmetricKeyType === 'rsa-pss') && (asymmetricKeyDetails?.modulusLength ?? 0) >= minBits
}

/** Whether a signature was made by the owner of a public key. RSA keys with fewer than 2048 bits are rejected. */
export const isSignedBy = (read: ReadSignature, publicKeyPem: string, { minBits = MIN_RSA_BITS } = {}): boolean => {
  const key = keyOf(publicKeyPem)
  if (!key || !isFit(key, minBits)) return false
  const isEd25519 = key.asymmetricKeyType === 'ed25519'
  const { algorithm, signature } = read
  if (algorithm !== 'by-key' && (algorithm === 'ed25519') !== isEd25519) return false
  return read.bases.some((base) => {
    const bytes = Buffer.from(base)
    if (isEd25519) return verify(null, bytes, key, signature)
    if (algorithm !== 'rsa-pss-sha512') return verify('sha256', bytes, key, signature)
    return verify('sha512', bytes, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }, signature)
  })
}
