import type { AccountsDefinition } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Client } from '@rookery/rpc'
import type { RequestHandler } from 'express'
import type { Passkeys } from '../../credentials/passkeys/index.ts'
import type { AuthTables } from '../../database/schema.ts'
import type { Logins } from '../../logins/index.ts'
import type { Sessions } from '../../oauth/provider/index.ts'
import type { Tokens } from '../../oauth/tokens/index.ts'
import { accountPage, noticePage, signInLink } from '../../web/html/index.ts'
import { callOf, sendPage, textOf } from '../../web/http/index.ts'
import { forSignedIn, type Visit, type VisitDeps } from './visitor.ts'

type Deps = VisitDeps & {
  database: Database<AuthTables>
  logins: Logins
  tokens: Tokens
  sessions: Sessions
  passkeys: Passkeys
  statuses: { accounts: Client<AccountsDefinition> }
}

const show = async (deps: Deps, { request, response, frame, accountId, sessionUid }: Visit, note?: string) => {
  const usernames = deps.statuses.accounts.readUsernames(callOf(response), { ids: [accountId] }).catch(() => undefined)
  const [login, apps, browsers, passkeys, named] = await Promise.all([
    deps.logins.find(accountId),
    deps.tokens.appsOf(accountId),
    deps.sessions.list(accountId),
    deps.passkeys.list(accountId),
    usernames,
  ])
  const { email } = orNotFound(login, `no login ${accountId}`)
  const username = named?.accounts[0]?.username
  const page = accountPage(frame, {
    person: username ? `@${username}` : email,
    email,
    apps,
    browsers: browsers.map((browser) => ({ ...browser, isThisOne: browser.uid === sessionUid })),
    formToken: await deps.formTokens.issue(request, response),
    hasSecondFactor: frame.hasSecondFactor ?? false,
    passkeys: deps.passkeys.isPossible ? passkeys.length : undefined,
    note,
  })
  sendPage(response, frame, page)
}

/** The overview of a login, and its forms. */
export type Overview = {
  /** GET /auth/account. */
  show: RequestHandler
  /** POST /auth/account/apps: revokes all tokens of an app. */
  endApp: RequestHandler
  /** POST /auth/account/browsers: signs out another browser. */
  endBrowser: RequestHandler
  /** POST /auth/account/everywhere: signs out all apps and browsers, including this one. */
  endEverything: RequestHandler
}

/** The pages of the overview. */
export const overviewPages = (deps: Deps): Overview => ({
  show: forSignedIn(deps, (visit) => show(deps, visit)),
  endApp: forSignedIn(deps, async (visit) => {
    const appId = textOf(await deps.formTokens.read(visit.request), 'app') ?? ''
    if (isId(appId)) await deps.tokens.revoke({ accountId: visit.accountId, appId })
    await show(deps, visit, visit.frame.texts.account.ended)
  }),
  endBrowser: forSignedIn(deps, async (visit) => {
    const uid = textOf(await deps.formTokens.read(visit.request), 'browser') ?? ''
    await deps.sessions.end(visit.accountId, uid)
    await show(deps, visit, visit.frame.texts.account.ended)
  }),
  endEverything: forSignedIn(deps, async ({ request, response, frame, accountId }) => {
    await deps.formTokens.read(request)
    await transact(deps.database.db, async (tx) => {
      await deps.sessions.endAll(tx, accountId)
      await deps.tokens.revokeWithin(tx, { accountId })
    })
    sendPage(response, frame, noticePage(frame.texts.account.endedEverywhere, signInLink(frame.texts)))
  }),
})
