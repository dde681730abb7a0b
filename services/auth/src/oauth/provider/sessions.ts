import { type Database, type Tx, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { isStillProved, type Logins, type Proved } from '../../logins/index.ts'
import { digestOf } from '../../secrets.ts'
import { ArtifactWriter, SESSION } from './artifact.store.ts'
import { SessionReader, SessionWriter } from './session.store.ts'

type Deps = { database: Database<AuthTables>; clock: Clock; logins: Pick<Logins, 'hold'> }

/** A new sign-in: the id in the cookie, the one that stays, and the browser. */
type NewSession = { id: string; uid: string; userAgent: string; expiresAt: Date }

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
    /** Stores a new sign-in with its browser, if what was proved still counts; returns whether it does. */
    begin: ({ id, uid, userAgent, expiresAt }: NewSession, proved: Proved): Promise<boolean> =>
      transact(db, async (tx) => {
        // A change of the password locks the login first, and ends the sign-ins that there are then.
        const login = await deps.logins.hold(tx, proved.accountId)
        if (!login || !isStillProved(login, proved)) return false
        const { accountId } = proved
        await new ArtifactWriter(tx).put({ model: SESSION, digest: digestOf(id), payload: {}, uid, accountId, expiresAt })
        await new SessionWriter(tx).add({ uid, accountId, userAgent: userAgent.slice(0, MAX_USER_AGENT), signedInAt: now() })
        return true
      }),
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
