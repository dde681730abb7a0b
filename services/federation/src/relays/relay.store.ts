import { prepared, type Tx } from '@rookery/database'
import { type Selectable, sql } from 'kysely'
import { query } from '../database/query.ts'
import type { FederationTables } from '../database/schema.ts'
import type { RelayTable } from '../database/tables/relay.ts'

/** A stored relay. */
export type RelayRow = Selectable<RelayTable>

/** All relays, the latest first. */
export const readRelays = prepared('relays.list', () => query.selectFrom('relay').selectAll().orderBy('id', 'desc'))

/** The inboxes of relays that accepted. */
export const readRelayInboxes = prepared('relays.inboxes', () => sql<{ inbox: string }>`select inbox from relay where state = 'accepted'`)

/** Whether an actor is that of a relay that accepted. */
export const readIsRelay = prepared(
  'relays.is-relay',
  ({ actorUri }: { actorUri: string }) =>
    sql<{ isRelay: boolean }>`select exists (select from relay where actor_uri = ${actorUri} and state = 'accepted') is_relay`,
)

/** Writes to relays, in a transaction. */
export class RelayWriter {
  readonly #tx: Tx<FederationTables>

  constructor(tx: Tx<FederationTables>) {
    this.#tx = tx
  }

  /** The relay with an inbox, locked. */
  byInbox(inbox: string): Promise<RelayRow | undefined> {
    return this.#tx.selectFrom('relay').selectAll().where('inbox', '=', inbox).forUpdate().executeTakeFirst()
  }

  /** Adds a relay, or asks a known one again. */
  ask({ inbox, followUri, now }: { inbox: string; followUri: string; now: Date }): Promise<RelayRow> {
    return this.#tx
      .insertInto('relay')
      .values({ inbox, followUri, state: 'pending', createdAt: now })
      .onConflict((conflict) => conflict.column('inbox').doUpdateSet({ followUri, state: 'pending', actorUri: null }))
      .returningAll()
      .executeTakeFirstOrThrow()
  }

  async count(): Promise<number> {
    const row = await this.#tx
      .selectFrom('relay')
      .select((select) => select.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(row.count)
  }

  /** Removes a relay and returns it. */
  remove(id: string): Promise<RelayRow | undefined> {
    return this.#tx.deleteFrom('relay').where('id', '=', id).returningAll().executeTakeFirst()
  }

  /** The relay that was asked by an activity, locked. */
  byFollow(followUri: string): Promise<RelayRow | undefined> {
    return this.#tx.selectFrom('relay').selectAll().where('followUri', '=', followUri).forUpdate().executeTakeFirst()
  }

  /** Records the answer of a relay. */
  async answer(id: string, answer: Pick<RelayRow, 'state' | 'actorUri'>): Promise<void> {
    await this.#tx.updateTable('relay').set(answer).where('id', '=', id).execute()
  }
}
