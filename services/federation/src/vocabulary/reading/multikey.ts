import { createPublicKey } from 'node:crypto'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** The multicodec prefix of Ed25519 public keys (a varint), and the length of such a key, in bytes. */
const ED25519 = 0xed01
const KEY_BYTES = 32
const MAX_LENGTH = 64

/** Decodes base58 with the Bitcoin alphabet, for values whose first byte is not zero; undefined if invalid. */
const decodeBase58 = (text: string): Buffer | undefined => {
  let number = 0n
  for (const letter of text) {
    const digit = ALPHABET.indexOf(letter)
    if (digit < 0) return undefined
    number = number * 58n + BigInt(digit)
  }
  const digits = number.toString(16)
  return Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex')
}

/**
 * Converts a Multikey to an Ed25519 public key in PEM (`publicKeyMultibase` in base58btc: Controlled Identifiers 1.0, 2.2.2); empty for any
 * other key.
 */
export const pemOfMultikey = (multibase: unknown): string => {
  if (typeof multibase !== 'string' || multibase.length > MAX_LENGTH || !multibase.startsWith('z')) return ''
  const bytes = decodeBase58(multibase.slice(1))
  if (bytes?.length !== KEY_BYTES + 2 || bytes.readUInt16BE() !== ED25519) return ''
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.subarray(2).toString('base64url') }, format: 'jwk' })
  return key.export({ type: 'spki', format: 'pem' }).toString()
}
