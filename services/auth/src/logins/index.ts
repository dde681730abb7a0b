import type { AccountLifeDefinition, AccountsDefinition } from '@rookery/contracts/statuses'
import { type Database, isUniqueViolation, type Page, type Tx } from '@rookery/database'
import type { LiveChannel } from '@rookery/ephemeral'
import type { Outbox } from '@rookery/events'
import type { Client } from '@rookery/rpc'
import type { Clock, Logger } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import type { Throttle } from '../throttle.ts'
import { changeState } from './change-state.ts'
import { findNamed } from './find-named.ts'
import { ensureProved, holdProved } from './hold-proved.ts'
import { signedUp } from './login.events.ts'
import { completesSignUp, isActive } from './login.rules.ts'
import { LoginReader, LoginWriter, type NewLogin } from './login.store.ts'
import { provePassword } from './prove-password.ts'
import { readActivity } from './read-activity.ts'
import { createSeen } from './seen.ts'
import { recordSignIn, signIn } from './sign-in.ts'
import { requestSync, syncAccount } from './sync-account.job.ts'

export { refuseOutdated } from './hold-proved.ts'
export { barOf, hasJoined, isActive, isStillProved, type LoginState, type Proved, stateOf } from './login.rules.ts'
export type { Login, LoginChange } from './login.store.ts'
export { hashPassword, isPassword, locked, makePassword, unlocked } from './password.ts'
export type { SignIn } from './sign-in.ts'

type Deps = {
  database: Database<AuthTables>
  outbox: Outbox
  live: LiveChannel
  clock: Clock
  log: Logger
  throttle: Throttle
  /** Host and port of this server, as in handles. */
  host: string
  statuses: { accounts: Client<AccountsDefinition>; accountLife: Client<AccountLifeDefinition> }
  /** Whether sign-in needs a second factor. */
  hasSecondFactor: (accountId: string) => Promise<boolean>
  /** Further writes in the transaction in which an account joins, after its confirmation or approval. */
  onJoined: (tx: Tx<AuthTables>, accountId: string) => Promise<void>
}

/** Whether writing a login violated a unique constraint: the login exists, or its address is in use. */
export const isLoginTaken = (error: unknown): boolean => isUniqueViolation(error, 'login_pkey') || isUniqueViolation(error, 'login_email')

/** Logins, for other slices. */
export const createLogins = (deps: Deps) => {
  const reader = new LoginReader(deps.database.db)
  const named = findNamed(deps)
  const seen = createSeen(deps)
  return {
    find: (accountId: string) => reader.find(accountId),
    /** Whether an account may use the API and sign in. */
    isActive: async (accountId: string) => {
      const login = await reader.find(accountId)
      return login !== undefined && isActive(login)
    },
    findByEmail: (email: string) => reader.findByEmail(email),
    list: (page: Page) => reader.list(page),
    /** Records activity of accounts. */
    noteSeen: seen.note,
    /** Writes the recorded activity. */
    flushSeen: seen.flush,
    /** Weekly activity since a time, and the numbers of recently active accounts. */
    activitySince: readActivity({ ...deps, seen }),
    async add(tx: Tx<AuthTables>, login: NewLogin): Promise<void> {
      await new LoginWriter(tx).add(login)
      if (completesSignUp(undefined, login)) await deps.outbox.append(tx, [signedUp(login.accountId)])
      if (login.role !== 'user') await requestSync(tx, login.accountId)
    },
    /** Whether an account may use the API; locks its login until the transaction ends. */
    holdActive: async (tx: Tx<AuthTables>, accountId: string): Promise<boolean> => {
      const login = await new LoginWriter(tx).lock(accountId)
      return login !== undefined && isActive(login)
    },
    /** Locks a login until the transaction ends, and returns it. */
    hold: (tx: Tx<AuthTables>, accountId: string) => new LoginWriter(tx).lock(accountId),
    holdProved,
    ensureProved: ensureProved(deps),
    details: (accountId: string) => reader.details(accountId),
    changeState: changeState(deps),
    /** Accounts whose deletion is unfinished. */
    closing: () => reader.closing(),
    abandonedSignUps: (before: Date, now: Date, limit: number) => reader.abandonedSignUps(before, now, limit),
    remove: (tx: Tx<AuthTables>, accountId: string) => new LoginWriter(tx).remove(accountId),
    findNamed: named,
    signIn: signIn({ ...deps, findNamed: named, seen }),
    recordSignIn: recordSignIn({ ...deps, seen }),
    provePassword: provePassword(deps),
    jobs: [syncAccount(deps)],
    close: seen.close,
  }
}

export type Logins = ReturnType<typeof createLogins>
