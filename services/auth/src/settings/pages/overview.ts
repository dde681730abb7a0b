import type { AccountsDefinition } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Client } from '@rookery/rpc'
import type { RequestHandler } from 'express'
import type { AuthTables } from '../../database/schema.ts'
import type { Logins } from '../../logins/index.ts'
import type { Sessions } from '../../oauth/provider/index.ts'
import type { Tokens } from '../../oauth/tokens/index.ts'
import { accountPage, noticePage } from '../../web/html/index.ts'
import { callOf, sendPage, textOf } from '../../web/http/index.ts'
import { forSignedIn, type Visit, type VisitGiven } from './visitor.ts'

type Given = VisitGiven & {
  database: Database<AuthTables>
  logins: Logins
  tokens: Tokens
  sessions: Sessions
  statuses: { accounts: Client<AccountsDefinition> }
}

const show = async (given: Given, { request, response, frame, accountId, sessionUid }: Visit, note?: string) => {
  const usernames = given.statuses.accounts.readUsernames(callOf(response), { ids: [accountId] }).catch(() => undefined)
  const [login, apps, browsers, named] = await Promise.all([
    given.logins.find(accountId),
    given.tokens.appsOf(accountId),
    given.sessions.list(accountId),
    usernames,
  ])
  const { email } = orNotFound(login, `no login ${accountId}`)
  const username = named?.accounts[0]?.username
  const page = accountPage(frame, {
    person: username ? `@${username}` : email,
    email,
    apps,
    browsers: browsers.map((browser) => ({ ...browser, isThisOne: browser.uid === sessionUid })),
    formToken: await given.formTokens.issue(request, response),
    note,
  })
  sendPage(response, frame, page)
}

/** What the forms of the overview do. */
export type Overview = {
  /** GET /auth/account. */
  show: RequestHandler
  /** POST /auth/account/apps: signs an app out, wherever it runs. */
  endApp: RequestHandler
  /** POST /auth/account/browsers: signs another browser out. */
  endBrowser: RequestHandler
  /** POST /auth/account/everywhere: signs every app and browser out, this one too. */
  endEverything: RequestHandler
}

/** The page of one's own login, and what its buttons do. */
export const overviewPages = (given: Given): Overview => ({
  show: forSignedIn(given, (visit) => show(given, visit)),
  endApp: forSignedIn(given, async (visit) => {
    const appId = textOf(await given.formTokens.read(visit.request), 'app') ?? ''
    if (isId(appId)) await given.tokens.revoke({ accountId: visit.accountId, appId })
    await show(given, visit, visit.frame.texts.account.ended)
  }),
  endBrowser: forSignedIn(given, async (visit) => {
    const uid = textOf(await given.formTokens.read(visit.request), 'browser') ?? ''
    await given.sessions.end(visit.accountId, uid)
    await show(given, visit, visit.frame.texts.account.ended)
  }),
  endEverything: forSignedIn(given, async ({ request, response, frame, accountId }) => {
    await given.formTokens.read(request)
    await transact(given.database.db, async (tx) => {
      await given.sessions.endAll(tx, accountId)
      await given.tokens.revokeWithin(tx, { accountId })
    })
    sendPage(response, frame, noticePage(frame.texts.account.endedEverywhere))
  }),
})
