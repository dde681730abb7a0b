import { type Db, prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { isThere } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { RemoteColumns, RemoteCounts } from './remote-profile.rules.ts'

/** The advisory lock of opening accounts: this number, and the hash of the uri. */
const ACCOUNTS_LOCK = 4_713

/** The columns of an existing account that decide what an update may change. */
type KnownAccount = {
  id: string
  isClosed: boolean
  indexable: boolean
  isSuspended: boolean
  suspendedByServer: boolean
  movedToId: string | null
}

/** Remote accounts by the uris of their actors. */
export const readByUris = prepared(
  'remote-accounts.by-uris',
  ({ uris }: { uris: readonly string[] }) => sql<{ id: string; uri: string; isSuspended: boolean }>`
    select id, uri, is_suspended from account where uri = any(${uris}::text[]) and uri is not null and closed_at is null`,
)

/** The remote account with a handle. */
export const readByHandle = prepared(
  'remote-accounts.by-handle',
  ({ username, domain }: { username: string; domain: string }) => sql<{ id: string; uri: string; isSuspended: boolean }>`
    select id, uri, is_suspended from account
    where lower(username) = lower(${username}::text) and domain = ${domain} and closed_at is null`,
)

/** The local followers of an account, after an id, in order of ids. */
export const readLocalFollowers = prepared(
  'remote-accounts.local-followers',
  ({ accountId, after, limit }: { accountId: string; after: string; limit: number }) => sql<{ id: string; username: string }>`
    select f.account_id id, a.username from (
      select account_id from follow where target_id = ${accountId} and is_local and account_id > ${after} order by account_id limit ${limit}) f
    cross join lateral (select username from account where id = f.account_id offset 0) a order by f.account_id`,
)

const values = ({ fields, emojis, ...columns }: RemoteColumns) => ({
  ...columns,
  fields: JSON.stringify(fields),
  emojis: JSON.stringify(emojis),
})

export class RemoteAccountReader {
  protected readonly db: Db<StatusesTables>

  constructor(db: Db<StatusesTables>) {
    this.db = db
  }

  /** Whether an account is remote. */
  async isRemote(id: string): Promise<boolean> {
    const query = this.db.selectFrom('account').select('id').where('id', '=', id).where('domain', 'is not', null)
    return (await query.executeTakeFirst()) !== undefined
  }

  /** The existing accounts of these uris and local usernames. */
  async known(uris: readonly string[], usernames: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select id from account where uri = any(${[...uris]}::text[]) and uri is not null and closed_at is null
      union select id from account where lower(username) = any(${[...usernames]}::text[]) and domain is null and ${isThere()}`.execute(
      this.db,
    )
    return rows.map(({ id }) => id)
  }
}

export class RemoteAccountWriter extends RemoteAccountReader {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    super(tx)
    this.tx = tx
  }

  /** Serialises transactions about a uri. */
  async claim(uri: string): Promise<void> {
    await sql`select pg_advisory_xact_lock(${ACCOUNTS_LOCK}::int, hashtext(${uri}))`.execute(this.tx)
  }

  /** The account of a uri, locked until the transaction ends. */
  async hold(uri: string): Promise<KnownAccount | undefined> {
    const query = this.tx
      .selectFrom('account')
      .select([
        'id',
        'indexable',
        'isSuspended',
        'suspendedByServer',
        'movedToId',
        (account) => account('closedAt', 'is not', null).as('isClosed'),
      ])
    const row = await query.where('uri', '=', uri).forNoKeyUpdate().executeTakeFirst()
    return row && { ...row, isClosed: Boolean(row.isClosed) }
  }

  /** Another account with the same handle. */
  async holderOf({ username, domain, uri }: Pick<RemoteColumns, 'username' | 'domain' | 'uri'>): Promise<string | undefined> {
    const { rows } = await sql<{ id: string }>`
      select id from account where lower(username) = lower(${username}::text) and domain = ${domain} and uri is distinct from ${uri}
      for no key update`.execute(this.tx)
    return rows[0]?.id
  }

  /** Adds an account; false if a concurrent call did. Its home is permanently evicted: nothing is placed there. */
  async add(id: string, columns: RemoteColumns, { counts, createdAt }: { counts: RemoteCounts; createdAt: Date }): Promise<boolean> {
    const added = await this.tx
      .insertInto('account')
      .values({ id, isActive: true, createdAt, ...values(columns), ...counts })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) return false
    await sql`insert into home (account_id, is_resting, read_on) values (${id}, true, ${createdAt}::date)`.execute(this.tx)
    return true
  }

  /** Suspends an account because its own server does, or ends that. */
  async followServer(id: string, isSuspended: boolean): Promise<void> {
    const change = { isSuspended, suspendedByServer: isSuspended, version: sql<number>`version + 1` }
    await this.tx.updateTable('account').set(change).where('id', '=', id).execute()
  }

  /** Stores the account that an account moved to according to its server, if that names it as an alias; otherwise that it has not moved. */
  async followMove(id: string, toId: string | null): Promise<void> {
    const movedToId = sql`(select account_id from account_alias where account_id = ${toId} and alias_id = ${id})`
    await sql`
      update account set moved_to_id = ${movedToId}, version = version + 1
      where id = ${id} and moved_to_id is distinct from ${toId}::bigint and moved_to_id is distinct from ${movedToId}`.execute(this.tx)
  }

  /** Replaces a profile, and bumps the version if anything changed. */
  async change(id: string, columns: RemoteColumns, counts: RemoteCounts): Promise<void> {
    const given = { ...values(columns), ...counts }
    const names = Object.keys(given) as (keyof typeof given)[]
    const differs = sql.join(
      names.map((name) => {
        const isJson = name === 'fields' || name === 'emojis'
        return sql`${sql.ref(name)} is distinct from ${given[name]}${isJson ? sql`::jsonb` : sql``}`
      }),
      sql` or `,
    )
    await this.tx
      .updateTable('account')
      .set({ ...given, version: sql`version + 1` })
      .where('id', '=', id)
      .where(sql<boolean>`(${differs})`)
      .execute()
  }

  /** Stores the counts of the account's own server, and bumps the version if anything changed. */
  async count(id: string, counts: RemoteCounts): Promise<void> {
    const given = Object.entries(counts) as [keyof RemoteCounts, number][]
    if (given.length === 0) return
    const differs = sql.join(
      given.map(([name, count]) => sql`${sql.ref(name)} <> ${count}`),
      sql` or `,
    )
    await this.tx
      .updateTable('account')
      .set({ ...counts, version: sql`version + 1` })
      .where('id', '=', id)
      .where('domain', 'is not', null)
      .where(sql<boolean>`(${differs})`)
      .execute()
  }

  /** Replaces the aliases of an account. */
  async replaceAliases(accountId: string, aliasIds: readonly string[]): Promise<void> {
    const others = aliasIds.filter((id) => id !== accountId)
    await this.tx
      .deleteFrom('accountAlias')
      .where('accountId', '=', accountId)
      .where('aliasId', '<>', sql<string>`all(${others}::bigint[])`)
      .execute()
    await sql`
      insert into account_alias (account_id, alias_id) select ${accountId}::bigint, unnest(${others}::bigint[])
      on conflict do nothing`.execute(this.tx)
  }
}
