import { afterCommit, type Database, transact } from '@rookery/database'
import type { LiveChannel } from '@rookery/ephemeral'
import type { Outbox } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import { tokenClosed, tokenRevoked } from './token.events.ts'
import { type TokenSelection, TokenWriter } from './token.store.ts'

type Given = { database: Database<AuthTables>; outbox: Outbox; live: LiveChannel; clock: Clock }

/**
 * Revokes tokens: the facts leave with the transaction, and after it open streams are told to close. Answers with how many tokens it was;
 * those revoked before do not count.
 */
export const revokeTokens =
  (given: Given) =>
  (selection: TokenSelection): Promise<number> =>
    transact(given.database.db, async (tx) => {
      const revoked = await new TokenWriter(tx).revoke(selection, new Date(given.clock.now()))
      await given.outbox.append(tx, revoked.map(tokenRevoked))
      afterCommit(tx, () => {
        for (const token of revoked) given.live.publish(tokenClosed(token.id))
      })
      return revoked.length
    })
