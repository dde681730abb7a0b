import type { Db, Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../../database/schema.ts'

/** The payload of an authorization code, as far as its exchange needs it. */
export type AuthorizationCode = {
  clientId: string
  accountId: string
  redirectUri: string
  scope: string
  /** The S256 challenge of the verifier, in base64url (RFC 7636); absent if the app sent none. */
  codeChallenge?: string
  /** The digest of the token issued for the code, in hex. */
  tokenDigest?: string
}

/**
 * An unexpired code. `usedMillisecondsAgo` is the time since its exchange was answered, by the database's clock; negative while the
 * exchange is in progress, undefined before it.
 */
export type FoundCode = AuthorizationCode & { usedMillisecondsAgo: number | undefined }

const MODEL = 'AuthorizationCode'

export class CodeReader {
  protected readonly db: Db<AuthTables> | Tx<AuthTables>

  constructor(db: Db<AuthTables> | Tx<AuthTables>) {
    this.db = db
  }

  async find(digest: Buffer, now: Date): Promise<FoundCode | undefined> {
    const row = await this.db
      .selectFrom('oidcArtifact')
      .select([
        sql<AuthorizationCode>`payload`.as('payload'),
        sql<number | null>`(extract(epoch from clock_timestamp() - consumed_at) * 1000)::float8`.as('usedAgo'),
      ])
      .where('model', '=', MODEL)
      .where('digest', '=', digest)
      .where('expiresAt', '>', now)
      .executeTakeFirst()
    return row && { ...row.payload, usedMillisecondsAgo: row.usedAgo ?? undefined }
  }
}

export class CodeWriter extends CodeReader {
  /**
   * Marks a code as used; of concurrent exchanges one succeeds. Until `answer` sets the actual time, the code counts as answered in ten
   * seconds, in case the process dies.
   */
  async use(digest: Buffer): Promise<boolean> {
    const used = await this.#ofCode(digest)
      .set({ consumedAt: sql<Date>`clock_timestamp() + interval '10 seconds'` })
      .where('consumedAt', 'is', null)
      .returning('model')
      .executeTakeFirst()
    return used !== undefined
  }

  /** Records the token issued for a code. */
  async noteToken(digest: Buffer, tokenDigest: Buffer): Promise<void> {
    const note = JSON.stringify({ tokenDigest: tokenDigest.toString('hex') })
    await this.#ofCode(digest)
      .set({ payload: sql`payload || ${note}::jsonb` })
      .execute()
  }

  /** Records that the exchange of a code is answered now. */
  async answer(digest: Buffer): Promise<void> {
    await this.#ofCode(digest).set({ consumedAt: sql<Date>`clock_timestamp()` }).execute()
  }

  #ofCode(digest: Buffer) {
    return this.db.updateTable('oidcArtifact').where('model', '=', MODEL).where('digest', '=', digest)
  }
}
