import { type Db, deleteInPieces, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../../database/schema.ts'

type Payload = Record<string, unknown>

/** The model of sessions of browsers. */
export const SESSION = 'Session'

/** An artifact to write. */
type NewArtifact = {
  model: string
  digest: Buffer
  payload: Payload
  grantId?: string | undefined
  uid?: string | undefined
  accountId?: string | undefined
  expiresAt: Date
}

export class ArtifactReader {
  protected readonly db: Db<AuthTables> | Tx<AuthTables>

  constructor(db: Db<AuthTables> | Tx<AuthTables>) {
    this.db = db
  }

  async find(model: string, digest: Buffer, now: Date): Promise<Payload | undefined> {
    return (await this.#select(model, now).where('digest', '=', digest).executeTakeFirst())?.payload
  }

  async findByUid(model: string, uid: string, now: Date): Promise<Payload | undefined> {
    return (await this.#select(model, now).where('uid', '=', uid).executeTakeFirst())?.payload
  }

  #select(model: string, now: Date) {
    return this.db
      .selectFrom('oidcArtifact')
      .select(sql<Payload>`payload`.as('payload'))
      .where('model', '=', model)
      .where('expiresAt', '>', now)
  }
}

export class ArtifactWriter extends ArtifactReader {
  async put(artifact: NewArtifact): Promise<void> {
    const { model, digest, expiresAt } = artifact
    const changing = {
      payload: sql`${JSON.stringify(artifact.payload)}::jsonb`,
      grantId: artifact.grantId ?? null,
      uid: artifact.uid ?? null,
      accountId: artifact.accountId ?? null,
      expiresAt,
    }
    await this.db
      .insertInto('oidcArtifact')
      .values({ ...changing, model, digest, consumedAt: null })
      .onConflict((conflict) => conflict.columns(['model', 'digest']).doUpdateSet(changing))
      .execute()
  }

  /** Replaces an artifact; one that was removed meanwhile does not come back. */
  async refresh({ model, digest, payload, expiresAt }: Pick<NewArtifact, 'model' | 'digest' | 'payload' | 'expiresAt'>): Promise<void> {
    await this.db
      .updateTable('oidcArtifact')
      .set({ payload: sql`${JSON.stringify(payload)}::jsonb`, expiresAt })
      .where('model', '=', model)
      .where('digest', '=', digest)
      .execute()
  }

  /** Whether a session stands; it cannot end until the transaction does. */
  async holdSession(uid: string): Promise<boolean> {
    const { rows } = await sql`select from oidc_artifact where uid = ${uid} and model = ${SESSION} for share`.execute(this.db)
    return rows.length > 0
  }

  /** Shortens the lifetime of an artifact to end at a time. */
  async endAt(model: string, digest: Buffer, at: Date): Promise<void> {
    await this.db
      .updateTable('oidcArtifact')
      .set({ expiresAt: at })
      .where('model', '=', model)
      .where('digest', '=', digest)
      .where('expiresAt', '>', at)
      .execute()
  }

  async remove(model: string, digest: Buffer): Promise<void> {
    await this.db.deleteFrom('oidcArtifact').where('model', '=', model).where('digest', '=', digest).execute()
  }

  /** Deletes an account's sessions, codes, grants and interactions. Sessions first, which waits for codes that are being written within one. */
  async removeOf(accountId: string): Promise<void> {
    await this.db.deleteFrom('oidcArtifact').where('accountId', '=', accountId).where('model', '=', SESSION).execute()
    await this.db.deleteFrom('oidcArtifact').where('accountId', '=', accountId).execute()
  }

  /** Deletes the codes and grants of an app. */
  async removeOfApp(clientId: string): Promise<void> {
    await deleteInPieces(this.db, 'oidc_artifact', sql`payload ->> 'clientId' = ${clientId}`)
  }

  async forgetExpired(now: Date): Promise<void> {
    await deleteInPieces(this.db, 'oidc_artifact', sql`expires_at <= ${now}`)
  }
}
