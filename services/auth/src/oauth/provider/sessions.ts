import { type Database, type Tx, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { ArtifactWriter } from './artifact.store.ts'
import { SessionReader, SessionWriter } from './session.store.ts'

type Deps = { database: Database<AuthTables>; clock: Clock }

const MAX_USER_AGENT = 300

/** How long a session counts as re-authenticated after its password was given, in milliseconds. */
const PROOF = 15 * 60_000

/** Sign-ins in browsers, for other slices. */
export const createSessions = (deps: Deps) => {
  const { db } = deps.database
  const now = () => new Date(deps.clock.now())
  return {
    /** An account's sign-ins, latest first. */
    list: (accountId: string) => new SessionReader(db).list(accountId, now()),
    /** Stores the browser of a new sign-in. */
    note: (session: { uid: string; accountId: string; userAgent: string }): Promise<void> =>
      transact(db, (tx) =>
        new SessionWriter(tx).add({ ...session, userAgent: session.userAgent.slice(0, MAX_USER_AGENT), signedInAt: now() }),
      ),
    /** Whether the password was given recently in a session. */
    isProven: async (uid: string): Promise<boolean> => {
      const provedAt = await new SessionReader(db).provedAt(uid)
      return provedAt !== undefined && provedAt.getTime() > deps.clock.now() - PROOF
    },
    /** Records that the password was given again. */
    prove: (uid: string): Promise<void> => transact(db, (tx) => new SessionWriter(tx).prove(uid, now())),
    /** Ends a sign-in of an account. */
    end: (accountId: string, uid: string): Promise<void> => transact(db, (tx) => new SessionWriter(tx).end(accountId, uid)),
    /** Ends all sign-ins of an account, with its pending codes and grants. */
    endAll: (tx: Tx<AuthTables>, accountId: string): Promise<void> => new ArtifactWriter(tx).removeOf(accountId),
    forgetEnded: (): Promise<void> => transact(db, (tx) => new SessionWriter(tx).forgetEnded()),
  }
}

export type Sessions = ReturnType<typeof createSessions>
