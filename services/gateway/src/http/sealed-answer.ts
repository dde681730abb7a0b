import { decrypt, encrypt } from '@rookery/encryption'
import type { Answer } from './answer.ts'

/** Encrypts an answer: it may contain the secret of an app, or a token. */
export const sealAnswer = (key: Buffer, { status, headers, body }: Answer): Buffer =>
  encrypt(key, `${JSON.stringify({ status, headers })}\n`, body)

/** Decrypts an answer of sealAnswer with the same key. @throws Error for anything else */
export const openAnswer = (key: Buffer, sealed: Buffer): Answer => {
  const bytes = decrypt(key, sealed)
  const end = bytes.indexOf('\n')
  return { ...JSON.parse(bytes.subarray(0, end).toString()), body: bytes.subarray(end + 1) }
}
