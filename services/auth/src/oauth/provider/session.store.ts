import { type Db, hasRow, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../../database/schema.ts'

/** A sign-in and its browser. */
type SessionBrowser = { uid: string; accountId: string; userAgent: string; signedInAt: Date }

export class SessionReader {
  protected readonly db: Db<AuthTables> | Tx<AuthTables>

  constructor(db: Db<AuthTables> | Tx<AuthTables>) {
    this.db = db
  }

  /** An account's unexpired sign-ins, latest first. */
  async list(accountId: string, now: Date): Promise<SessionBrowser[]> {
    return this.db
      .selectFrom('sessionBrowser as browser')
      .select(['browser.uid', 'browser.accountId', 'browser.userAgent', 'browser.signedInAt'])
      .where('browser.accountId', '=', accountId)
      .where(hasRow(sql`from oidc_artifact where uid = browser.uid and model = 'Session' and expires_at > ${now}`))
      .orderBy('browser.signedInAt', 'desc')
      .execute()
  }

  /** When the password was last given in a session. */
  async provedAt(uid: string): Promise<Date | undefined> {
    const row = await this.db
      .selectFrom('sessionBrowser')
      .select(({ fn }) => fn<Date>('greatest', ['signedInAt', 'provedAt']).as('provedAt'))
      .where('uid', '=', uid)
      .executeTakeFirst()
    return row?.provedAt
  }
}

export class SessionWriter extends SessionReader {
  /** Stores the browser of a sign-in, if it is new. */
  async add(session: SessionBrowser): Promise<void> {
    const row = { uid: session.uid, accountId: session.accountId, userAgent: session.userAgent, signedInAt: session.signedInAt }
    await this.db
      .insertInto('sessionBrowser')
      .values(row)
      .onConflict((conflict) => conflict.column('uid').doNothing())
      .execute()
  }

  /** Records that the password was given again. */
  async prove(uid: string, provedAt: Date): Promise<void> {
    await this.db.updateTable('sessionBrowser').set({ provedAt }).where('uid', '=', uid).execute()
  }

  /** Ends a sign-in of an account; that of another account is left alone. */
  async end(accountId: string, uid: string): Promise<void> {
    await this.db
      .deleteFrom('oidcArtifact')
      .where('uid', '=', uid)
      .where('model', '=', 'Session')
      .where('accountId', '=', accountId)
      .execute()
    await this.db.deleteFrom('sessionBrowser').where('uid', '=', uid).where('accountId', '=', accountId).execute()
  }

  /** Deletes the browsers of ended sign-ins. */
  async forgetEnded(): Promise<void> {
    await this.db
      .deleteFrom('sessionBrowser')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('oidcArtifact')
              .select('oidcArtifact.uid')
              .whereRef('oidcArtifact.uid', '=', 'sessionBrowser.uid')
              .where('oidcArtifact.model', '=', 'Session'),
          ),
        ),
      )
      .execute()
  }
}
