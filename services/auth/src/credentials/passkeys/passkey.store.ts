import type { Db, Tx } from '@rookery/database'
import type { AuthTables } from '../../database/schema.ts'
import type { Proved } from '../../logins/index.ts'

/** A stored passkey. */
export type Passkey = {
  credentialId: Buffer
  accountId: string
  publicKey: Buffer
  signCount: number
  transports: string[]
  name: string
  createdAt: Date
  lastUsedAt: Date | null
}

export class PasskeyReader {
  protected readonly db: Db<AuthTables> | Tx<AuthTables>

  constructor(db: Db<AuthTables> | Tx<AuthTables>) {
    this.db = db
  }

  async find(credentialId: Buffer): Promise<Passkey | undefined> {
    const row = await this.db.selectFrom('passkey').selectAll().where('credentialId', '=', credentialId).executeTakeFirst()
    return row && { ...row, signCount: Number(row.signCount) }
  }

  /** An account's passkeys, oldest first. */
  async list(accountId: string): Promise<Passkey[]> {
    const rows = await this.db.selectFrom('passkey').selectAll().where('accountId', '=', accountId).orderBy('createdAt').execute()
    return rows.map((row) => ({ ...row, signCount: Number(row.signCount) }))
  }
}

export class PasskeyWriter extends PasskeyReader {
  /** Adds a passkey; false if its id exists. */
  async add(passkey: Passkey): Promise<boolean> {
    const added = await this.db
      .insertInto('passkey')
      .values({ ...passkey, signCount: String(passkey.signCount) })
      .onConflict((conflict) => conflict.doNothing())
      .returning('credentialId')
      .executeTakeFirst()
    return added !== undefined
  }

  /**
   * Records a use, and returns the owner's login as of then; undefined if the signature counter did not increase, which suggests a cloned
   * authenticator. Some authenticators do not count and always send 0.
   */
  async use(credentialId: Buffer, given: { signCount: number; at: Date }): Promise<Proved | undefined> {
    return this.db
      .updateTable('passkey')
      .from('login')
      .whereRef('login.accountId', '=', 'passkey.accountId')
      .set({ signCount: String(given.signCount), lastUsedAt: given.at })
      .where('credentialId', '=', credentialId)
      .where(({ eb, and, or }) =>
        or([eb('signCount', '<', String(given.signCount)), and([eb('signCount', '=', '0'), eb(eb.val(given.signCount), '=', 0)])]),
      )
      .returning(['login.accountId', 'login.passwordHash'])
      .executeTakeFirst()
  }

  /** Removes a passkey of an account; false if the account has no such passkey. */
  async remove(accountId: string, credentialId: Buffer): Promise<boolean> {
    const query = this.db.deleteFrom('passkey').where('credentialId', '=', credentialId).where('accountId', '=', accountId)
    return (await query.returning('credentialId').executeTakeFirst()) !== undefined
  }

  async removeOf(accountId: string): Promise<void> {
    await this.db.deleteFrom('passkey').where('accountId', '=', accountId).execute()
  }

  /** Marks a challenge as answered; false if it already was. */
  async takeChallenge(digest: Buffer, expiresAt: Date): Promise<boolean> {
    const taken = await this.db
      .insertInto('answeredChallenge')
      .values({ digest, expiresAt })
      .onConflict((conflict) => conflict.doNothing())
      .returning('digest')
      .executeTakeFirst()
    return taken !== undefined
  }

  async forgetExpired(now: Date): Promise<void> {
    await this.db.deleteFrom('answeredChallenge').where('expiresAt', '<=', now).execute()
  }
}
