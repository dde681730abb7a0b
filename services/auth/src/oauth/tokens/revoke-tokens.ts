import { afterCommit, type Database, type Tx, transact } from '@rookery/database'
import type { LiveChannel } from '@rookery/ephemeral'
import type { Outbox } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { tokenClosed, tokenRevoked } from './token.events.ts'
import { type RevokedToken, type TokenSelection, TokenWriter } from './token.store.ts'

type Deps = { database: Database<AuthTables>; outbox: Outbox; live: LiveChannel; clock: Clock }

/** Publishes the events with the transaction, and closes open streams after the commit. */
const announce = async ({ outbox, live }: Deps, tx: Tx<AuthTables>, revoked: readonly RevokedToken[]): Promise<void> => {
  await outbox.append(tx, revoked.map(tokenRevoked))
  afterCommit(tx, () => {
    for (const token of revoked) void live.publish(tokenClosed(token.id))
  })
}

/**
 * Revokes tokens within a transaction, publishes the events with it, and closes open streams after the commit. Those of an account end with its
 * codes, which would give new ones; codes go first, so that a concurrent exchange leaves no token behind. Returns the number of tokens that
 * were still valid.
 */
export const revokeWithin =
  (deps: Deps) =>
  async (tx: Tx<AuthTables>, selection: TokenSelection): Promise<number> => {
    const writer = new TokenWriter(tx)
    if ('accountId' in selection) await writer.forgetCodes(selection)
    const revoked = await writer.revoke(selection, new Date(deps.clock.now()))
    await announce(deps, tx, revoked)
    return revoked.length
  }

/** Revokes tokens in a separate transaction. */
export const revokeTokens =
  (deps: Deps) =>
  (selection: TokenSelection): Promise<number> =>
    transact(deps.database.db, (tx) => revokeWithin(deps)(tx, selection))

/**
 * Deletes up to `limit` tokens of an app within a transaction, and publishes the valid ones as revoked. Returns the number of deleted
 * tokens.
 */
export const deleteOfApp =
  (deps: Deps) =>
  async (tx: Tx<AuthTables>, { appId, limit }: { appId: string; limit: number }): Promise<number> => {
    const deleted = await new TokenWriter(tx).deleteOfApp(appId, limit)
    await announce(
      deps,
      tx,
      deleted.filter(({ wasRevoked }) => !wasRevoked),
    )
    return deleted.length
  }
