import { createHmac, randomBytes } from 'node:crypto'
import type { Tx } from '@rookery/database'
import type { Ids } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { type IssuedToken, writeToken } from './issue-token.ts'
import { TokenWriter } from './token.store.ts'

/** What a person lets an app do. The app has just proved that it knows its secret. */
export type Approved = { appId: string; clientSecret: string; accountId: string; scopes: string[] }

const NONCE_BYTES = 32

/** A token out of an app's secret and a nonce, neither of which gives it away alone: 43 characters of base64url. */
const derive = (clientSecret: string, nonce: Buffer): string =>
  createHmac('sha256', clientSecret).update('access token').update(nonce).digest('base64url')

/**
 * The token by which an app acts for a person: the one it has already when the same scopes were approved before, else a new one
 * (beyond-the-spec 1.3). A revoked token is never given again. The login must be locked by the transaction, so that two exchanges at once
 * come to one token.
 */
export const grantToken =
  (deps: { clock: Clock; ids: Ids }) =>
  async (tx: Tx<AuthTables>, { clientSecret, ...order }: Approved): Promise<IssuedToken> => {
    const found = await new TokenWriter(tx).lockDerived(order)
    if (found) return { value: derive(clientSecret, found.nonce), createdAt: found.createdAt }
    const nonce = randomBytes(NONCE_BYTES)
    return writeToken(deps, tx, { ...order, value: derive(clientSecret, nonce), nonce })
  }
