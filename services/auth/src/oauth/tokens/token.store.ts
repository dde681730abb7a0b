import type { RoleName } from '@rookery/contracts/permissions'
import { type Db, prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../../database/schema.ts'

/** A token with its app and its account's login, if it has one. */
export type TokenRow = {
  digest: Buffer
  tokenId: string
  appId: string
  appName: string
  appWebsite: string
  appNumber: number
  scopes: string[]
  isRevoked: boolean
  accountId: string | null
  role: RoleName | null
  confirmedAt: Date | null
  approvedAt: Date | null
  disabledAt: Date | null
}

/** The existing tokens of some digests, in no order: one statement. */
export const findTokens = prepared(
  'check-tokens',
  ({ digests }: { digests: readonly Buffer[] }) => sql<TokenRow>`
    select t.digest, t.id token_id, t.app_id, a.name app_name, a.website app_website, coalesce(a.number, 0)::float8 app_number, t.scopes,
      t.revoked_at is not null or a.removed_at is not null is_revoked, t.account_id, l.role, l.confirmed_at, l.approved_at,
      coalesce(l.disabled_at, l.suspended_at, l.memorial_at) disabled_at
    from access_token t
    join app a on a.id = t.app_id
    left join login l on l.account_id = t.account_id
    where t.digest = any(${digests}::bytea[])`,
)

/** A token to insert. */
type NewToken = {
  digest: Buffer
  id: string
  appId: string
  accountId: string | null
  scopes: string[]
  nonce: Buffer | null
  createdAt: Date
}

/** A token that can be derived from its nonce. */
type DerivedToken = { digest: Buffer; nonce: Buffer; createdAt: Date }

/** A token that was revoked. */
export type RevokedToken = { id: string; accountId: string | null }

/** A token that was deleted. */
type DeletedToken = RevokedToken & { wasRevoked: boolean }

/** A selection of tokens: one, those of an app for an account, or all of an account. */
export type TokenSelection = { digest: Buffer } | { accountId: string; appId?: string }

/** An app with tokens of an account. */
export type AppInUse = { id: string; name: string; website: string; tokens: number; since: Date }

export class TokenReader {
  protected readonly db: Db<AuthTables> | Tx<AuthTables>

  constructor(db: Db<AuthTables> | Tx<AuthTables>) {
    this.db = db
  }

  /** The app of a token. */
  async appOf(digest: Buffer): Promise<string | undefined> {
    const row = await this.db.selectFrom('accessToken').select('appId').where('digest', '=', digest).executeTakeFirst()
    return row?.appId
  }

  /**
   * The newest unrevoked token of an account and app with exactly these scopes that can be derived from a nonce; locks it until the
   * transaction ends.
   */
  async lockDerived(given: { accountId: string; appId: string; scopes: readonly string[] }): Promise<DerivedToken | undefined> {
    const scopes = sql<string[]>`${given.scopes}::text[]`
    const row = await this.db
      .selectFrom('accessToken')
      .select(['digest', 'nonce', 'createdAt'])
      .where('accountId', '=', given.accountId)
      .where('appId', '=', given.appId)
      .where('revokedAt', 'is', null)
      .where('nonce', 'is not', null)
      .where('scopes', '@>', scopes)
      .where('scopes', '<@', scopes)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .forUpdate()
      .executeTakeFirst()
    return row?.nonce ? { ...row, nonce: row.nonce } : undefined
  }

  /** The apps with tokens of an account, latest first. */
  async appsOf(accountId: string): Promise<AppInUse[]> {
    const rows = await this.db
      .selectFrom('accessToken as token')
      .innerJoin('app', 'app.id', 'token.appId')
      .select(['app.id', 'app.name', 'app.website'])
      .select(({ fn }) => [fn.countAll<string>().as('tokens'), fn.max('token.createdAt').as('since')])
      .where('token.accountId', '=', accountId)
      .where('token.revokedAt', 'is', null)
      .where('app.removedAt', 'is', null)
      .groupBy('app.id')
      .orderBy('since', 'desc')
      .execute()
    return rows.map((row) => ({ ...row, tokens: Number(row.tokens) }))
  }
}

export class TokenWriter extends TokenReader {
  async add(token: NewToken): Promise<void> {
    const row = {
      digest: token.digest,
      id: token.id,
      appId: token.appId,
      accountId: token.accountId,
      scopes: token.scopes,
      grantId: null,
      nonce: token.nonce,
      createdAt: token.createdAt,
      revokedAt: null,
    }
    await this.db.insertInto('accessToken').values(row).execute()
  }

  /** Revokes the selected tokens that are still valid, and returns them. */
  async revoke(selection: TokenSelection, at: Date): Promise<RevokedToken[]> {
    const query = this.db.updateTable('accessToken').set({ revokedAt: at }).where('revokedAt', 'is', null).returning(['id', 'accountId'])
    if ('digest' in selection) return query.where('digest', '=', selection.digest).execute()
    const ofPerson = query.where('accountId', '=', selection.accountId)
    return (selection.appId === undefined ? ofPerson : ofPerson.where('appId', '=', selection.appId)).execute()
  }

  /** Deletes the codes of an account that are not exchanged yet, of all apps or of one. */
  async forgetCodes({ accountId, appId }: { accountId: string; appId?: string }): Promise<void> {
    const query = this.db.deleteFrom('oidcArtifact').where('model', '=', 'AuthorizationCode').where('accountId', '=', accountId)
    const ofApp = sql<boolean>`payload ->> 'clientId' = (select client_id from app where id = ${appId})`
    await (appId === undefined ? query : query.where(ofApp)).execute()
  }

  /** Deletes up to `limit` tokens of an app, and returns them. */
  async deleteOfApp(appId: string, limit: number): Promise<DeletedToken[]> {
    const some = this.db.selectFrom('accessToken').select('digest').where('appId', '=', appId).limit(limit)
    return this.db
      .deleteFrom('accessToken')
      .where('digest', '=', sql<Buffer>`any(array(${some}))`)
      .returning(['id', 'accountId', sql<boolean>`revoked_at is not null`.as('wasRevoked')])
      .execute()
  }
}
