import { anyOf, prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'
import type { StoredEmoji } from '../../database/tables/emoji.ts'
import type { ReactionCount } from './announcement.store.ts'

/** Maximum reactions removed per transaction. */
const CHUNK = 500

/** An announcement and the emoji of some of its reactions. */
export type ReactionName = { announcementId: string; name: string }

type Reaction = ReactionName & { accountId: string }

/** The numbers of reactions with some emojis; ids and names are paired by position. Without viewer state; emojis without reactions are left out. */
export const readCounts = prepared(
  'announcements.counts',
  ({ announcementIds, names }: { announcementIds: readonly string[]; names: readonly string[] }) => sql<ReactionName & ReactionCount>`
    select c.announcement_id, c.name, c.count, c.emoji, false mine
    from unnest(${announcementIds}::bigint[], ${names}::text[]) wanted (announcement_id, name)
    join announcement_reaction_count c on c.announcement_id = wanted.announcement_id and c.name = wanted.name`,
)

/** Changes reactions and their counts. The announcements must be locked. */
export class ReactionWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Adds a reaction; `full` if the announcement has the maximum of other emojis. */
  async add({ announcementId, accountId, name }: Reaction, limits: { emoji: StoredEmoji | undefined; max: number }) {
    const emoji = limits.emoji ? JSON.stringify(limits.emoji) : null
    const { rows } = await sql<{ hasRoom: boolean; isAdded: boolean }>`
      with room as (
        select count(*) < ${limits.max} or coalesce(bool_or(name = ${name}), false) has_room
        from announcement_reaction_count where announcement_id = ${announcementId}),
      added as (
        insert into announcement_reaction (announcement_id, account_id, name)
        select ${announcementId}::bigint, ${accountId}::bigint, ${name}::text from room where has_room
        on conflict do nothing returning name),
      counted as (
        insert into announcement_reaction_count as counts (announcement_id, name, count, emoji)
        select ${announcementId}::bigint, name, 1, ${emoji}::jsonb from added
        on conflict (announcement_id, name) do update set count = counts.count + 1)
      select has_room "hasRoom", exists (select 1 from added) "isAdded" from room`.execute(this.tx)
    const { hasRoom, isAdded } = rows[0]!
    if (!hasRoom) return 'full' as const
    return isAdded ? ('added' as const) : ('there already' as const)
  }

  /** Removes reactions of an account; returns those that existed. */
  async remove(accountId: string, reactions: readonly ReactionName[]): Promise<ReactionName[]> {
    const announcementIds = reactions.map(({ announcementId }) => announcementId)
    const names = reactions.map(({ name }) => name)
    const { rows } = await sql<ReactionName>`
      with wanted as (select * from unnest(${announcementIds}::bigint[], ${names}::text[]) wanted (announcement_id, name)),
      gone as (
        delete from announcement_reaction r using wanted
        where r.announcement_id = wanted.announcement_id and r.name = wanted.name and r.account_id = ${accountId}
        returning r.announcement_id, r.name),
      fewer as (
        update announcement_reaction_count c set count = c.count - 1 from gone
        where c.announcement_id = gone.announcement_id and c.name = gone.name and c.count > 1),
      none as (
        delete from announcement_reaction_count c using gone
        where c.announcement_id = gone.announcement_id and c.name = gone.name and c.count <= 1)
      select announcement_id "announcementId", name from gone order by announcement_id, name`.execute(this.tx)
    return rows
  }

  /** A batch of an account's reactions; locks their announcements, lower id first as every writer does. */
  async lockSome(accountId: string): Promise<ReactionName[]> {
    const query = this.tx.selectFrom('announcementReaction').select(['announcementId', 'name']).where('accountId', '=', accountId)
    const some = await query.limit(CHUNK).execute()
    const ids = [...new Set(some.map(({ announcementId }) => announcementId))]
    await this.tx.selectFrom('announcement').select('id').where('id', '=', anyOf(ids)).orderBy('id').forNoKeyUpdate().execute()
    return some
  }
}
