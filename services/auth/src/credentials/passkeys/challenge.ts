import { randomBytes } from 'node:crypto'
import type { Database, Tx } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import type { Logins } from '../../logins/index.ts'
import type { SecurityEmails } from '../../mail/security-emails/index.ts'
import { digestOf } from '../../secrets.ts'
import { PasskeyWriter } from './passkey.store.ts'
import type { RelyingParty } from './relying-party.ts'

export type PasskeyDeps = {
  database: Database<AuthTables>
  clock: Clock
  logins: Logins
  securityEmails: SecurityEmails
  relyingParty: RelyingParty
}

/** A challenge in base64url, which can be answered once before it expires. */
export type Challenge = { text: string; expiresAt: Date }

/** Generates a challenge (WebAuthn, 13.4.3). */
export const makeChallenge = (): string => randomBytes(32).toString('base64url')

/** Marks a challenge as answered; false if it already was. */
export const takeChallenge = (tx: Tx<AuthTables>, { text, expiresAt }: Challenge): Promise<boolean> =>
  new PasskeyWriter(tx).takeChallenge(digestOf(text), expiresAt)
