import type { Db, Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../../database/schema.ts'

/** An authorization code, as far as its exchange needs it. */
export type AuthorizationCode = {
  clientId: string
  accountId: string
  redirectUri: string
  scope: string
  /** Base64url of the SHA-256 of the verifier that must come with it (RFC 7636); absent when the app sent none. */
  codeChallenge?: string
  /** The token that the code came to, as hex of its digest. */
  tokenDigest?: string
}

/**
 * A code that is not too old. `usedMillisecondsAgo` says how long ago its exchange was answered, by the database's clock; below 0 while the
 * answer is still under way, undefined before.
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
   * Marks a code as used; of several exchanges at once, one succeeds. Unless `answer` says otherwise, it counts as answered when a process
   * that died on the way must have been.
   */
  async use(digest: Buffer): Promise<boolean> {
    const used = await this.#ofCode(digest)
      .set({ consumedAt: sql<Date>`clock_timestamp() + interval '10 seconds'` })
      .where('consumedAt', 'is', null)
      .returning('model')
      .executeTakeFirst()
    return used !== undefined
  }

  /** Says which token a code came to. */
  async noteToken(digest: Buffer, tokenDigest: Buffer): Promise<void> {
    const note = JSON.stringify({ tokenDigest: tokenDigest.toString('hex') })
    await this.#ofCode(digest)
      .set({ payload: sql`payload || ${note}::jsonb` })
      .execute()
  }

  /** Says that the exchange of a code is answered now. */
  async answer(digest: Buffer): Promise<void> {
    await this.#ofCode(digest).set({ consumedAt: sql<Date>`clock_timestamp()` }).execute()
  }

  #ofCode(digest: Buffer) {
    return this.db.updateTable('oidcArtifact').where('model', '=', MODEL).where('digest', '=', digest)
  }
}
