import { type Database, type Tx, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { ArtifactWriter } from './artifact.store.ts'
import { SessionReader, SessionWriter } from './session.store.ts'

type Deps = { database: Database<AuthTables>; clock: Clock }

const MAX_USER_AGENT = 300

/** How long a password given in a browser proves that the person is there themselves, in milliseconds. */
const PROOF = 15 * 60_000

/** What other slices may do with people's sign-ins. */
export const createSessions = (deps: Deps) => {
  const { db } = deps.database
  const now = () => new Date(deps.clock.now())
  return {
    /** Where a person is signed in, the latest first. */
    list: (accountId: string) => new SessionReader(db).list(accountId, now()),
    /** Notes the browser of a sign-in that was just made. */
    note: (session: { uid: string; accountId: string; userAgent: string }): Promise<void> =>
      transact(db, (tx) =>
        new SessionWriter(tx).add({ ...session, userAgent: session.userAgent.slice(0, MAX_USER_AGENT), signedInAt: now() }),
      ),
    /** Whether the person of a sign-in gave their password in it lately. */
    isProven: async (uid: string): Promise<boolean> => {
      const provedAt = await new SessionReader(db).provedAt(uid)
      return provedAt !== undefined && provedAt.getTime() > deps.clock.now() - PROOF
    },
    /** Notes that they gave it once more. */
    prove: (uid: string): Promise<void> => transact(db, (tx) => new SessionWriter(tx).prove(uid, now())),
    /** Ends one sign-in of a person. */
    end: (accountId: string, uid: string): Promise<void> => transact(db, (tx) => new SessionWriter(tx).end(accountId, uid)),
    /** Ends every sign-in of a person, with the codes and approvals under way. */
    endAll: (tx: Tx<AuthTables>, accountId: string): Promise<void> => new ArtifactWriter(tx).removeOf(accountId),
    forgetEnded: (): Promise<void> => transact(db, (tx) => new SessionWriter(tx).forgetEnded()),
  }
}

export type Sessions = ReturnType<typeof createSessions>
