import { decrypt, deriveKey, encrypt } from '@rookery/encryption'

/** Keeps texts so that the database alone does not tell them. */
export type Encryption = {
  encrypt(text: string): Buffer
  /** Undefined for what none of the keys encrypted. */
  decrypt(bytes: Buffer): string | undefined
}

const opened = (key: Buffer, bytes: Buffer): string | undefined => {
  try {
    return decrypt(key, bytes).toString()
  } catch {
    return undefined
  }
}

/** Encrypts by secrets, of which the first encrypts and all decrypt; `purpose` keeps what is encrypted here from meaning anything elsewhere. */
export const encryption = (secrets: readonly string[], purpose: string): Encryption => {
  const keys = secrets.map((secret) => deriveKey(secret, purpose))
  return {
    encrypt: (text) => encrypt(keys[0]!, text),
    decrypt: (bytes) => keys.map((key) => opened(key, bytes)).find((text) => text !== undefined),
  }
}
