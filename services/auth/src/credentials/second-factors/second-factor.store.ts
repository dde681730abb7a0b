import type { Db, Tx } from '@rookery/database'
import type { AuthTables } from '../../database/schema.ts'

/** A second factor as it is stored. */
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
  /** @returns whether there was none yet */
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

  /** Takes the code of an interval, unless that of this interval or a later one was taken; of several at once, one is. */
  async take(accountId: string, given: { step: number; secret: Buffer }): Promise<boolean> {
    const taken = await this.db
      .updateTable('secondFactor')
      .set({ lastStep: String(given.step), secret: given.secret })
      .where('accountId', '=', accountId)
      .where('lastStep', '<', String(given.step))
      .returning('accountId')
      .executeTakeFirst()
    return taken !== undefined
  }

  /** @returns whether there was one */
  async remove(accountId: string): Promise<boolean> {
    const removed = await this.db.deleteFrom('secondFactor').where('accountId', '=', accountId).returning('accountId').executeTakeFirst()
    return removed !== undefined
  }

  /** Puts recovery codes in the place of those there are. */
  async replaceRecoveryCodes(accountId: string, digests: readonly Buffer[]): Promise<void> {
    await this.db.deleteFrom('recoveryCode').where('accountId', '=', accountId).execute()
    await this.db
      .insertInto('recoveryCode')
      .values(digests.map((digest) => ({ accountId, digest })))
      .execute()
  }

  /** Takes a recovery code, once. */
  async takeRecoveryCode(accountId: string, digest: Buffer): Promise<boolean> {
    const query = this.db.deleteFrom('recoveryCode').where('accountId', '=', accountId).where('digest', '=', digest)
    return (await query.returning('accountId').executeTakeFirst()) !== undefined
  }
}
