import type { Db, Tx } from '@rookery/database'
import type { AuthTables } from '../../database/schema.ts'

/** A stored second factor. */
export type StoredFactor = { accountId: string; secret: Buffer; lastStep: number; enabledAt: Date }

export class SecondFactorReader {
  protected readonly db: Db<AuthTables> | Tx<AuthTables>

  constructor(db: Db<AuthTables> | Tx<AuthTables>) {
    this.db = db
  }

  async find(accountId: string): Promise<StoredFactor | undefined> {
    const row = await this.db.selectFrom('secondFactor').selectAll().where('accountId', '=', accountId).executeTakeFirst()
    return row && { ...row, lastStep: Number(row.lastStep) }
  }

  async countRecoveryCodes(accountId: string): Promise<number> {
    const query = this.db.selectFrom('recoveryCode').select(({ fn }) => fn.countAll<string>().as('count'))
    return Number((await query.where('accountId', '=', accountId).executeTakeFirstOrThrow()).count)
  }
}

export class SecondFactorWriter extends SecondFactorReader {
  /** Adds a second factor; false if there is one. */
  async add(factor: StoredFactor): Promise<boolean> {
    const row = { ...factor, lastStep: String(factor.lastStep) }
    const added = await this.db
      .insertInto('secondFactor')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('accountId')
      .executeTakeFirst()
    return added !== undefined
  }

  /**
   * Uses up the code of a time step, and stores the secret as encrypted now; false if the code of this or a later step was used, or the factor
   * was replaced since it was read. Of concurrent uses one succeeds.
   */
  async take({ accountId, enabledAt }: StoredFactor, given: { step: number; secret: Buffer }): Promise<boolean> {
    const taken = await this.db
      .updateTable('secondFactor')
      .set({ lastStep: String(given.step), secret: given.secret })
      .where('accountId', '=', accountId)
      .where('enabledAt', '=', enabledAt)
      .where('lastStep', '<', String(given.step))
      .returning('accountId')
      .executeTakeFirst()
    return taken !== undefined
  }

  /** Removes a second factor; false if there was none. */
  async remove(accountId: string): Promise<boolean> {
    const removed = await this.db.deleteFrom('secondFactor').where('accountId', '=', accountId).returning('accountId').executeTakeFirst()
    return removed !== undefined
  }

  /** Replaces the recovery codes. */
  async replaceRecoveryCodes(accountId: string, digests: readonly Buffer[]): Promise<void> {
    await this.db.deleteFrom('recoveryCode').where('accountId', '=', accountId).execute()
    await this.db
      .insertInto('recoveryCode')
      .values(digests.map((digest) => ({ accountId, digest })))
      .execute()
  }

  /** Uses up a recovery code; false if it is unknown or was used. */
  async takeRecoveryCode(accountId: string, digest: Buffer): Promise<boolean> {
    const query = this.db.deleteFrom('recoveryCode').where('accountId', '=', accountId).where('digest', '=', digest)
    return (await query.returning('accountId').executeTakeFirst()) !== undefined
  }
}
