import type { Tx } from '@rookery/database'
import type { Ids } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import { digestOf, makeSecret } from '../secrets.ts'
import { TokenWriter } from './token.store.ts'

/** What a token is for. The value is given when the provider made it; accountId is absent for client credentials. */
export type TokenOrder = {
  appId: string
  scopes: string[]
  accountId?: string | undefined
  grantId?: string | undefined
  value?: string | undefined
}

/** Writes a token, which never expires (beyond-the-spec 1.3), and answers with it: this once, for only its digest is kept. */
export const issueToken =
  (given: { clock: Clock; ids: Ids }) =>
  async (tx: Tx<AuthTables>, order: TokenOrder): Promise<{ value: string; createdAt: Date }> => {
    const value = order.value ?? makeSecret()
    const createdAt = new Date(given.clock.now())
    await new TokenWriter(tx).add({
      digest: digestOf(value),
      id: given.ids.next(),
      appId: order.appId,
      accountId: order.accountId ?? null,
      scopes: order.scopes,
      grantId: order.grantId ?? null,
      createdAt,
    })
    return { value, createdAt }
  }
