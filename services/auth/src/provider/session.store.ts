import type { Db, Tx } from '@rookery/database'
import type { AuthTables } from '../database/schema.ts'

/** Where somebody is signed in. */
export type SessionBrowser = { uid: string; accountId: string; userAgent: string; signedInAt: Date }

export class SessionReader {
  protected readonly db: Db<AuthTables> | Tx<AuthTables>

  constructor(db: Db<AuthTables> | Tx<AuthTables>) {
    this.db = db
  }

  /** A person's sign-ins that still count, the latest first. */
  async list(accountId: string, now: Date): Promise<SessionBrowser[]> {
    return this.db
      .selectFrom('session_browser as browser')
      .innerJoin('oidc_artifact as session', (join) => join.onRef('session.uid', '=', 'browser.uid').on('session.model', '=', 'Session'))
      .select(['browser.uid', 'browser.account_id as accountId', 'browser.user_agent as userAgent', 'browser.signed_in_at as signedInAt'])
      .where('browser.account_id', '=', accountId)
      .where('session.expires_at', '>', now)
      .orderBy('browser.signed_in_at', 'desc')
      .execute()
  }
}

export class SessionWriter extends SessionReader {
  /** Notes the browser of a sign-in, the first time it is used. */
  async add(session: SessionBrowser): Promise<void> {
    const row = { uid: session.uid, account_id: session.accountId, user_agent: session.userAgent, signed_in_at: session.signedInAt }
    await this.db
      .insertInto('session_browser')
      .values(row)
      .onConflict((conflict) => conflict.column('uid').doNothing())
      .execute()
  }

  /** Ends one sign-in of a person; another's is left alone. */
  async end(accountId: string, uid: string): Promise<void> {
    await this.db
      .deleteFrom('oidc_artifact')
      .where('uid', '=', uid)
      .where('model', '=', 'Session')
      .where('account_id', '=', accountId)
      .execute()
    await this.db.deleteFrom('session_browser').where('uid', '=', uid).where('account_id', '=', accountId).execute()
  }

  /** Forgets the browsers of sign-ins that are gone. */
  async forgetEnded(): Promise<void> {
    await this.db
      .deleteFrom('session_browser')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('oidc_artifact')
              .select('oidc_artifact.uid')
              .whereRef('oidc_artifact.uid', '=', 'session_browser.uid')
              .where('oidc_artifact.model', '=', 'Session'),
          ),
        ),
      )
      .execute()
  }
}
