import { createHash, timingSafeEqual } from 'node:crypto'
import { headerOf, SignatureError, type SignedMessage } from './message.ts'

const HASHES: Record<string, 'sha256' | 'sha512'> = { 'sha-256': 'sha256', 'sha-512': 'sha512' }

const hashed = (hash: 'sha256' | 'sha512', body: Buffer) => createHash(hash).update(body).digest()

/** The Digest header of a body (RFC 3230). */
export const digestHeader = (body: Buffer): string => `SHA-256=${hashed('sha256', body).toString('base64')}`

/** The Content-Digest header of a body (RFC 9530). */
export const contentDigestHeader = (body: Buffer): string => `sha-256=:${hashed('sha256', body).toString('base64')}:`

/** The digests in a header that use a supported hash. */
const digestsIn = (header: string, pattern: RegExp): [hash: 'sha256' | 'sha512', digest: Buffer][] =>
  header.split(',').flatMap((part) => {
    const [, name = '', value = ''] = pattern.exec(part.trim()) ?? []
    const hash = Object.hasOwn(HASHES, name.toLowerCase()) ? HASHES[name.toLowerCase()] : undefined
    return hash ? [[hash, Buffer.from(value, 'base64')] as const] : []
  }) as [hash: 'sha256' | 'sha512', digest: Buffer][]

/**
 * Verifies Digest or Content-Digest, whichever the signature covers, against the body. All digests with a supported hash must match.
 * @throws SignatureError
 */
export const checkDigest = (message: SignedMessage, name: 'digest' | 'content-digest'): void => {
  const header = headerOf(message, name) ?? ''
  const digests = digestsIn(header, name === 'digest' ? /^([\w-]+)=([A-Za-z0-9+/]+={0,2})$/ : /^([\w-]+)=:([A-Za-z0-9+/]+={0,2}):$/)
  if (digests.length === 0) throw new SignatureError('the digest of the body is missing, or of no known kind')
  const body = message.body ?? Buffer.alloc(0)
  for (const [hash, digest] of digests) {
    const own = hashed(hash, body)
    if (own.length !== digest.length || !timingSafeEqual(own, digest)) throw new SignatureError('the body is not what its digest says')
  }
}
