import { createHash, randomBytes } from 'node:crypto'

/** Generates a secret of 256 bits: 43 characters of base64url, which WebSocket subprotocols can carry (beyond-the-spec 1.7). */
export const makeSecret = (): string => randomBytes(32).toString('base64url')

/** The SHA-256 of a secret, which is stored in its place. Generated secrets have so much entropy that they need no slow hash. */
export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
