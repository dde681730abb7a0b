import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/** Keeps texts so that the database alone does not tell them. */
export type Encryption = {
  encrypt(text: string): Buffer
  /** Undefined for what none of the keys encrypted. */
  decrypt(bytes: Buffer): string | undefined
}

const opened = (key: Buffer, bytes: Buffer): string | undefined => {
  const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(-TAG_BYTES)]
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAuthTag(tag)
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString()
  } catch {
    return undefined
  }
}

/** AES-256-GCM by secrets, of which the first encrypts and all decrypt; `purpose` keeps what is encrypted here from meaning anything elsewhere. */
export const encryption = (secrets: readonly string[], purpose: string): Encryption => {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES)))
  return {
    encrypt(text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keys[0]!, nonce)
      return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()])
    },
    decrypt: (bytes) => keys.map((key) => opened(key, bytes)).find((text) => text !== undefined),
  }
}
