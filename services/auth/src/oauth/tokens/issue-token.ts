import type { Tx } from '@rookery/database'
import type { Ids } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { digestOf, makeSecret } from '../../secrets.ts'
import { TokenWriter } from './token.store.ts'

/** What a token is for; accountId is absent for client credentials. */
type TokenOrder = { appId: string; scopes: string[]; accountId?: string | undefined }

/** A token as its app receives it. */
export type IssuedToken = { value: string; createdAt: Date }

type Deps = { clock: Clock; ids: Ids }

/** Writes a token, which never expires (beyond-the-spec 1.3). Only its digest is kept. */
export const writeToken = async (
  deps: Deps,
  tx: Tx<AuthTables>,
  order: TokenOrder & { value: string; nonce: Buffer | null },
): Promise<IssuedToken> => {
  const createdAt = new Date(deps.clock.now())
  await new TokenWriter(tx).add({
    digest: digestOf(order.value),
    id: deps.ids.next(),
    appId: order.appId,
    accountId: order.accountId ?? null,
    scopes: order.scopes,
    nonce: order.nonce,
    createdAt,
  })
  return { value: order.value, createdAt }
}

/** Issues a random token, which is returned only this once. */
export const issueToken =
  (deps: Deps) =>
  (tx: Tx<AuthTables>, order: TokenOrder): Promise<IssuedToken> =>
    writeToken(deps, tx, { ...order, value: makeSecret(), nonce: null })
