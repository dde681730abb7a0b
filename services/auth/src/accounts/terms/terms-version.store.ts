import type { Db, Tx } from '@rookery/database'
import type { AuthTables } from '../../database/schema.ts'

export class TermsVersionReader {
  protected readonly db: Db<AuthTables> | Tx<AuthTables>

  constructor(db: Db<AuthTables> | Tx<AuthTables>) {
    this.db = db
  }

  async hasAny(): Promise<boolean> {
    return (await this.db.selectFrom('termsVersion').select('effectiveOn').limit(1).executeTakeFirst()) !== undefined
  }
}

export class TermsVersionWriter extends TermsVersionReader {
  async add(effectiveOn: string): Promise<void> {
    await this.db
      .insertInto('termsVersion')
      .values({ effectiveOn })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  async remove(effectiveOn: string): Promise<void> {
    await this.db.deleteFrom('termsVersion').where('effectiveOn', '=', effectiveOn).execute()
  }
}
