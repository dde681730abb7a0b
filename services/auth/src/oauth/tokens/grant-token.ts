import { createHmac, randomBytes } from 'node:crypto'
import type { Tx } from '@rookery/database'
import type { Ids } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { type IssuedToken, writeToken } from './issue-token.ts'
import { TokenWriter } from './token.store.ts'

/** An approved grant to an app that has just authenticated. */
export type Approved = { appId: string; clientSecret: string; accountId: string; scopes: string[] }

const NONCE_BYTES = 32

/** Derives a token from the app's secret and a nonce; neither reveals it alone. 43 characters of base64url. */
const derive = (clientSecret: string, nonce: Buffer): string =>
  createHmac('sha256', clientSecret).update('access token').update(nonce).digest('base64url')

/**
 * A token for an app to act for an account: the existing one if the same scopes were approved before, else a new one (beyond-the-spec 1.3).
 * A revoked token is never reused. The transaction must hold the lock on the login, so that concurrent exchanges get the same token.
 */
export const grantToken =
  (deps: { clock: Clock; ids: Ids }) =>
  async (tx: Tx<AuthTables>, { clientSecret, ...order }: Approved): Promise<IssuedToken> => {
    const found = await new TokenWriter(tx).lockDerived(order)
    if (found) return { value: derive(clientSecret, found.nonce), createdAt: found.createdAt }
    const nonce = randomBytes(NONCE_BYTES)
    return writeToken(deps, tx, { ...order, value: derive(clientSecret, nonce), nonce })
  }
