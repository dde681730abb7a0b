import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Derives a key of 256 bits from a secret for one purpose, which cannot decrypt what was encrypted for another (HKDF, RFC 5869). */
export const deriveKey = (secret: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES))

/** Encrypts the concatenated parts (AES-256-GCM, NIST SP 800-38D). The result is a random nonce of 96 bits, the ciphertext and the tag. */
export const encrypt = (key: Buffer, ...parts: readonly (string | Buffer)[]): Buffer => {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce)
  return Buffer.concat([nonce, ...parts.map((part) => cipher.update(part)), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts what `encrypt` made with the same key. @throws Error for anything else, changed or truncated bytes included */
export const decrypt = (key: Buffer, bytes: Buffer): Buffer => {
  const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(-TAG_BYTES)]
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAuthTag(tag)
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
}

/** Encrypts strings that a database stores, so that a copy of the database does not reveal them. */
export type Encryption = {
  encrypt(text: string): Buffer
  /** Undefined if none of the keys decrypts it. */
  decrypt(bytes: Buffer): string | undefined
}

const opened = (key: Buffer, bytes: Buffer): string | undefined => {
  try {
    return decrypt(key, bytes).toString()
  } catch {
    return undefined
  }
}

/** Encrypts with the first secret and decrypts with any, so that secrets can be rotated. Keys are derived for `purpose` alone. */
export const encryption = (secrets: readonly string[], purpose: string): Encryption => {
  const keys = secrets.map((secret) => deriveKey(secret, purpose))
  return {
    encrypt: (text) => encrypt(keys[0]!, text),
    decrypt: (bytes) => keys.map((key) => opened(key, bytes)).find((text) => text !== undefined),
  }
}
