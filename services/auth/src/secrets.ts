import { createHash, randomBytes } from 'node:crypto'

/** A secret no one guesses: 256 bits as 43 characters of base64url, which WebSocket subprotocols can carry (beyond-the-spec 1.7). */
export const makeSecret = (): string => randomBytes(32).toString('base64url')

/** What is kept of a secret: its SHA-256. Secrets made here have too many bits for a slow hash to matter. */
export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
