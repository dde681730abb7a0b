import { anyOf, type Db, prepared, type Tx } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import { sql } from 'kysely'
import { isReachable } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { StoredField } from '../../database/tables/account.ts'
import type { StoredEmoji } from '../../database/tables/emoji.ts'
import { ACCOUNT_COLUMNS, type AccountRow } from '../../views/index.ts'
import type { Handle } from './lookup-account.ts'

/** An account with the columns that only its owner reads. */
export type CredentialsRow = AccountRow & {
  defaultPrivacy: number | null
  defaultSensitive: boolean
  defaultLanguage: string | null
  /** As typed. */
  note: string
  followRequestsCount: number
  defaultQuotePolicy: string | null
  expandMedia: string | null
  expandSpoilers: boolean
  autoplayGifs: boolean
  attributionDomains: string[]
  showMedia: boolean
  showMediaReplies: boolean
  showFeatured: boolean
  locale: string | null
}

/** The owner's view of each account of a list. */
export const readCredentialsRows = prepared(
  'accounts.credentials',
  ({ ids }: { ids: readonly string[] }) => sql<CredentialsRow>`
    select ${ACCOUNT_COLUMNS}, default_privacy, default_sensitive, default_language, note, follow_requests_count,
      default_quote_policy, expand_media, expand_spoilers, autoplay_gifs, attribution_domains, show_media, show_media_replies, show_featured, locale
    from account where id = any(${ids}::bigint[])`,
)

/** The columns of a new account. */
type NewAccount = {
  id: string
  username: string
  isActive: boolean
  createdAt: Date
  defaultLanguage: string | null
  locale: string | null
  /** As `account.role`. */
  role: string
}

/** Columns an update may set; omitted ones are unchanged. */
export type AccountChange = {
  displayName?: string
  note?: string
  noteHtml?: string
  fields?: readonly StoredField[]
  emojis?: readonly StoredEmoji[]
  locked?: boolean
  bot?: boolean
  discoverable?: boolean
  indexable?: boolean
  hideCollections?: boolean
  defaultPrivacy?: number
  defaultSensitive?: boolean
  defaultLanguage?: string | null
  defaultQuotePolicy?: string
  expandMedia?: string
  expandSpoilers?: boolean
  autoplayGifs?: boolean
  attributionDomains?: string[]
  showMedia?: boolean
  showMediaReplies?: boolean
  showFeatured?: boolean
  avatarMediaId?: string | null
  headerMediaId?: string | null
  avatarUrl?: string
  avatarStaticUrl?: string
  headerUrl?: string
  headerStaticUrl?: string
}

/** The values that an update of a profile may replace and that have consequences elsewhere: image files, verified links, and indexability. */
export type ReplacedProfile = {
  fields: StoredField[]
  avatarMediaId: string | null
  headerMediaId: string | null
  indexable: boolean
  locked: boolean
}

/** The server's decisions about an account; omitted ones are unchanged. */
export type ModerationState = {
  isSilenced?: boolean | undefined
  isSuspended?: boolean | undefined
  isMemorial?: boolean | undefined
  isSensitized?: boolean | undefined
}

/** The columns of the given decisions only. */
export const moderationColumns = ({ isSilenced, isSuspended, isMemorial, isSensitized }: ModerationState) => ({
  // A decision about the account itself outlasts those about its domain and by its server.
  ...(isSilenced === undefined ? {} : { isSilenced, silencedByDomain: false }),
  ...(isSuspended === undefined ? {} : { isSuspended, suspendedByDomain: false, suspendedByServer: false }),
  ...(isMemorial === undefined ? {} : { isMemorial }),
  ...(isSensitized === undefined ? {} : { isSensitized }),
})

export class AccountReader {
  protected readonly db: Db<StatusesTables>

  constructor(db: Db<StatusesTables>) {
    this.db = db
  }

  /** A local account, unless the handle has a domain. */
  async idOf({ username, domain }: Handle): Promise<string | undefined> {
    const query = this.db.selectFrom('account').select('id').where(sql`lower(username)`, '=', username.toLowerCase())
    const among = domain === undefined ? query.where('domain', 'is', null) : query.where('domain', '=', domain)
    return (await among.executeTakeFirst())?.id
  }

  async exists(id: string): Promise<boolean> {
    const query = this.db.selectFrom('account').select('id').where('id', '=', id).where('closedAt', 'is', null)
    return (await query.executeTakeFirst()) !== undefined
  }

  /** The texts of a profile, as typed. */
  async texts(id: string): Promise<{ username: string; displayName: string; note: string; fields: StoredField[] } | undefined> {
    const query = this.db.selectFrom('account').select(['username', 'displayName', 'note', 'fields'])
    return query.where('id', '=', id).executeTakeFirst()
  }

  /** Accounts with one of the roles that may sign in. */
  async holders(roles: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select id from account where role <> '' and role = any(${[...roles]}::text[])
        and ${isReachable()} and closed_at is null order by id`.execute(this.db)
    return rows.map(({ id }) => id)
  }

  /** Those of these accounts that are not closed, in any order. */
  async there(ids: readonly string[]): Promise<string[]> {
    const query = this.db.selectFrom('account').select('id').where('id', '=', anyOf(ids)).where('closedAt', 'is', null)
    return (await query.execute()).map(({ id }) => id)
  }

  /** Accounts by id, or local ones by username, for services that store ids only. */
  async named(ids: readonly string[], usernames: readonly string[]): Promise<{ id: string; username: string }[]> {
    const lowered = usernames.map((username) => username.toLowerCase())
    const { rows } = await sql<{ id: string; username: string }>`
      select id, username from account where id = any(array(
        select unnest(${[...ids]}::bigint[]) union all select id from account where lower(username) = any(${lowered}::text[]) and domain is null))`.execute(
      this.db,
    )
    return rows
  }

  /** Those of the usernames that belonged to deleted accounts, in lower case. */
  async reserved(usernames: readonly string[]): Promise<string[]> {
    if (usernames.length === 0) return []
    const lowered = usernames.map((username) => username.toLowerCase())
    const query = this.db.selectFrom('reservedUsername').select('username')
    return (await query.where('username', '=', sql<string>`any(${lowered}::text[])`).execute()).map(({ username }) => username)
  }
}

export class AccountWriter extends AccountReader {
  constructor(tx: Tx<StatusesTables>) {
    super(tx)
  }

  /** Adds an account; false if the id or the username is taken. */
  async add(account: NewAccount): Promise<boolean> {
    const added = await this.db
      .insertInto('account')
      .values(account)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    return added !== undefined
  }

  /** Deletes an account without statuses. */
  async remove(id: string): Promise<void> {
    await this.db.deleteFrom('account').where('id', '=', id).where('statusesCount', '=', 0).execute()
  }

  /** Returns whether that is a change. */
  async setActive({ id, isActive, hasJoined }: { id: string; isActive: boolean; hasJoined: boolean }): Promise<boolean> {
    const isOther = sql<boolean>`(is_active, has_joined) <> (${isActive}, ${hasJoined})`
    const query = this.db.updateTable('account').set({ isActive, hasJoined }).where('id', '=', id).where(isOther)
    return (await query.returning('id').executeTakeFirst()) !== undefined
  }

  /** @throws Failure not_found */
  async setRole(id: string, role: string): Promise<void> {
    const query = this.db.updateTable('account').set({ role, version: sql`version + 1` }).where('id', '=', id)
    orNotFound(await query.returning('id').executeTakeFirst(), `no account ${id}`)
  }

  /** Locks and returns the values that a change replaces, until the transaction ends. */
  async hold(id: string): Promise<ReplacedProfile | undefined> {
    const query = this.db.selectFrom('account').select(['fields', 'avatarMediaId', 'headerMediaId', 'indexable', 'locked'])
    return query.where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  }

  /** Replaces the fields and bumps the version. */
  async setFields(id: string, fields: readonly StoredField[]): Promise<void> {
    const change = { fields: JSON.stringify(fields), version: sql<number>`version + 1` }
    await this.db.updateTable('account').set(change).where('id', '=', id).execute()
  }

  /** Sets columns and bumps the version; returns the number of follow requests, or undefined if there is no such account. */
  async change(id: string, { fields, emojis, ...columns }: AccountChange): Promise<number | undefined> {
    const changed = await this.db
      .updateTable('account')
      .set({
        ...columns,
        ...(fields ? { fields: JSON.stringify(fields) } : {}),
        ...(emojis ? { emojis: JSON.stringify(emojis) } : {}),
        version: sql`version + 1`,
      })
      .where('id', '=', id)
      .returning('followRequestsCount')
      .executeTakeFirst()
    return changed?.followRequestsCount
  }
}
