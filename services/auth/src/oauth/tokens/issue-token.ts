import type { Tx } from '@rookery/database'
import type { Ids } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { digestOf, makeSecret } from '../../secrets.ts'
import { TokenWriter } from './token.store.ts'

/** A token to issue; without accountId for client credentials. */
type TokenOrder = { appId: string; scopes: string[]; accountId?: string | undefined }

/** An issued token, in plain text. */
export type IssuedToken = { value: string; createdAt: Date }

type Deps = { clock: Clock; ids: Ids }

/** Stores the digest of a token, which never expires (beyond-the-spec 1.3). */
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

/** Issues a random token, which cannot be read again. */
export const issueToken =
  (deps: Deps) =>
  (tx: Tx<AuthTables>, order: TokenOrder): Promise<IssuedToken> =>
    writeToken(deps, tx, { ...order, value: makeSecret(), nonce: null })
