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
import { signedUp } from './login.events.ts'
import { completesSignUp, isActive } from './login.rules.ts'
import { LoginReader, LoginWriter, type NewLogin } from './login.store.ts'
import { provePassword } from './prove-password.ts'
import { readActivity } from './read-activity.ts'
import { createSeen } from './seen.ts'
import { recordSignIn, signIn } from './sign-in.ts'
import { requestSync, syncAccount } from './sync-account.job.ts'

export { barOf, hasJoined, isActive, type LoginState, stateOf } from './login.rules.ts'
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
  /** Host and port of this server, as behind a username. */
  host: string
  statuses: { accounts: Client<AccountsDefinition>; accountLife: Client<AccountLifeDefinition> }
  /** Whether someone's password is not enough to sign in. */
  hasSecondFactor: (accountId: string) => Promise<boolean>
  /** What else is done in the transaction that lets someone in who waited for their confirmation or an approval. */
  onJoined: (tx: Tx<AuthTables>, accountId: string) => Promise<void>
}

/** Whether a login could not be written because it is there already or its address belongs to another. */
export const isLoginTaken = (error: unknown): boolean => isUniqueViolation(error, 'login_pkey') || isUniqueViolation(error, 'login_email')

/** What other slices may do with logins. */
export const createLogins = (deps: Deps) => {
  const reader = new LoginReader(deps.database.db)
  const named = findNamed(deps)
  const seen = createSeen(deps)
  return {
    find: (accountId: string) => reader.find(accountId),
    /** Whether someone may use the API, and sign in. */
    isActive: async (accountId: string) => {
      const login = await reader.find(accountId)
      return login !== undefined && isActive(login)
    },
    findByEmail: (email: string) => reader.findByEmail(email),
    list: (page: Page) => reader.list(page),
    /** Notes people whose token was used. */
    noteSeen: seen.note,
    /** Writes down who was seen up to now. */
    flushSeen: seen.flush,
    /** Activity by week since then, and how many people were seen lately. */
    activitySince: readActivity({ ...deps, seen }),
    async add(tx: Tx<AuthTables>, login: NewLogin): Promise<void> {
      await new LoginWriter(tx).add(login)
      if (completesSignUp(undefined, login)) await deps.outbox.append(tx, [signedUp(login.accountId)])
      if (login.role !== 'user') await requestSync(tx, login.accountId)
    },
    /** Whether someone may use the API; their login is kept from others until the transaction ends. */
    holdActive: async (tx: Tx<AuthTables>, accountId: string): Promise<boolean> => {
      const login = await new LoginWriter(tx).lock(accountId)
      return login !== undefined && isActive(login)
    },
    /** The login, kept from others until the transaction ends. */
    hold: (tx: Tx<AuthTables>, accountId: string) => new LoginWriter(tx).lock(accountId),
    details: (accountId: string) => reader.details(accountId),
    changeState: changeState(deps),
    /** People whose account is still to be deleted. */
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
