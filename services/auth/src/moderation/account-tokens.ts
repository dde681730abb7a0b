import type { AppInUseList, RevokeAccountTokensRequest, RevokedAccountTokens } from '@rookery/contracts/auth'
import { mayActOn } from '@rookery/contracts/permissions'
import { type Database, transact } from '@rookery/database'
import { notAllowed, notFound, orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import type { Logins } from '../logins/index.ts'
import type { Tokens } from '../oauth/tokens/index.ts'
import { ActWriter } from './act.store.ts'

type Deps = { database: Database<AuthTables>; clock: Clock; logins: Pick<Logins, 'find'>; tokens: Pick<Tokens, 'appsOf' | 'revoke'> }

/** Apps with tokens of an account, latest first. */
export const listApps =
  ({ tokens }: Deps) =>
  async (accountId: string): Promise<AppInUseList> => {
    const apps = isId(accountId) ? await tokens.appsOf(accountId) : []
    return { apps: apps.map(({ since, ...app }) => ({ ...app, sinceMilliseconds: since.getTime() })) }
  }

/**
 * Revokes the tokens of an account, all or those of one app, for staff who may act on the account and for the account itself. The log is
 * written first: if the process dies in between, it has an act too many rather than one too few.
 * @throws Failure not_found, forbidden
 */
export const revokeAccountTokens =
  ({ database, clock, logins, tokens }: Deps) =>
  async ({ accountId, appId, staffId }: RevokeAccountTokensRequest): Promise<RevokedAccountTokens> => {
    if (!isId(accountId) || (appId && !isId(appId))) throw notFound(`no tokens of ${accountId} and ${appId}`)
    const target = orNotFound(await logins.find(accountId), `${accountId} has no login`)
    const actor = staffId ? orNotFound(await logins.find(staffId), `staff ${staffId} is gone`) : undefined
    if (staffId !== accountId && !mayActOn(actor, target)) throw notAllowed(`${staffId} may not act on ${accountId}`)
    const act = { action: 'revoke_tokens', accountId, text: '', reportId: null, createdAt: new Date(clock.now()) }
    await transact(database.db, (tx) => new ActWriter(tx).add({ actorId: staffId || null, ...act }))
    return { count: await tokens.revoke(appId ? { accountId, appId } : { accountId }) }
  }
