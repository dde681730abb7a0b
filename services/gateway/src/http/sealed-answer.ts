import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Answer } from './answer.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

/** Encrypts an answer: it may have the secret of an app, or a token. */
export const sealAnswer = (key: Buffer, { status, headers, body }: Answer): Buffer => {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce)
  const head = `${JSON.stringify({ status, headers })}\n`
  return Buffer.concat([nonce, cipher.update(head), cipher.update(body), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts what sealAnswer made with the same key. @throws Error for anything else */
export const openAnswer = (key: Buffer, sealed: Buffer): Answer => {
  const [nonce, tag] = [sealed.subarray(0, NONCE_BYTES), sealed.subarray(-TAG_BYTES)]
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAuthTag(tag)
  const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  const end = text.indexOf('\n')
  return { ...JSON.parse(text.subarray(0, end).toString()), body: text.subarray(end + 1) }
}
