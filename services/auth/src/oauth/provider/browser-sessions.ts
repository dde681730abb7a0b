import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '@rookery/runtime'
import type { Request, Response } from 'express'
import type { Provider } from 'oidc-provider'
import type { Proved } from '../../logins/index.ts'
import { cookieOptions, SESSION_COOKIE, SESSION_SECONDS } from './cookies.ts'
import type { Sessions } from './sessions.ts'

/** The account and the session of a signed-in browser. */
type SignedIn = { accountId: string; uid: string }

type Deps = {
  provider: () => Promise<Provider>
  sessions: Sessions
  clock: Clock
  isActive: (accountId: string) => Promise<boolean>
  baseUrl: string
}

/** A minimal request and response with cookies, for requests that another service received. */
const exchangeWith = (cookie: string) => {
  const request = { method: 'GET', url: '/', headers: { cookie }, socket: {} }
  const response = { getHeader: () => undefined, setHeader: () => {} }
  return { request: request as unknown as IncomingMessage, response: response as unknown as ServerResponse }
}

const sessionOf = async (deps: Deps, request: IncomingMessage, response: ServerResponse) => {
  const provider = await deps.provider()
  const context = provider.createContext(request, response)
  return { provider, context, session: await provider.Session.get(context as never) }
}

const find = async (deps: Deps, request: IncomingMessage, response: ServerResponse): Promise<SignedIn | undefined> => {
  const { session } = await sessionOf(deps, request, response)
  const { accountId, uid } = session
  return accountId !== undefined && (await deps.isActive(accountId)) ? { accountId, uid } : undefined
}

/** Sessions of browsers, shared by the account pages and the authorization of apps. */
export const createBrowserSessions = (deps: Deps) => ({
  /** The signed-in account; undefined without a session, or if the login is not active. */
  find: (request: Request, response: Response): Promise<SignedIn | undefined> => find(deps, request, response),
  /** The signed-in account, by the Cookie header of a request that another service received. */
  findByCookies(cookies: string): Promise<SignedIn | undefined> {
    const { request, response } = exchangeWith(cookies)
    return find(deps, request, response)
  },
  /**
   * Signs a browser in, if what was proved still counts; returns whether it does. Its previous session ends, against session fixation.
   */
  async open(request: Request, response: Response, proved: Proved): Promise<boolean> {
    const { provider, context, session: before } = await sessionOf(deps, request, response)
    const seconds = Math.floor(deps.clock.now() / 1000)
    const expiresAt = new Date((seconds + SESSION_SECONDS) * 1000)
    const session = new provider.Session()
    session.loginAccount({ accountId: proved.accountId, loginTs: seconds })
    const begun = { id: session.jti, uid: session.uid, userAgent: request.get('user-agent') ?? '', expiresAt }
    if (!(await deps.sessions.begin(begun, proved))) return false
    if (before.accountId !== undefined) await before.destroy()
    await session.save(SESSION_SECONDS)
    context.cookies.set(SESSION_COOKIE, session.jti, { ...cookieOptions(deps.baseUrl), expires: expiresAt })
    return true
  },
  /** Signs a browser out. */
  async close(request: Request, response: Response): Promise<void> {
    const { context, session } = await sessionOf(deps, request, response)
    if (session.accountId !== undefined) await session.destroy()
    context.cookies.set(SESSION_COOKIE, null, cookieOptions(deps.baseUrl))
  },
})

export type BrowserSessions = ReturnType<typeof createBrowserSessions>
