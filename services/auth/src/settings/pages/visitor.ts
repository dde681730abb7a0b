import { holds, type Inviters, mayInvite, PERMISSIONS, ROLES } from '@rookery/contracts/permissions'
import type { Request, RequestHandler, Response } from 'express'
import type { SecondFactors } from '../../credentials/second-factors/index.ts'
import type { Logins } from '../../logins/index.ts'
import type { BrowserSessions } from '../../oauth/provider/index.ts'
import type { Frame } from '../../web/html/index.ts'
import type { FormTokens } from '../../web/http/index.ts'
import { returnPath } from '../destination/index.ts'

/** The GET and POST handlers of a path. */
export type Pages = { show: RequestHandler; submit: RequestHandler }

export type VisitDeps = {
  browserSessions: BrowserSessions
  secondFactors: SecondFactors
  logins: Pick<Logins, 'find'>
  formTokens: FormTokens
  config: { inviters: Inviters }
  frameOf: (request: Request) => Frame
}

/** A request of a signed-in account. */
export type Visit = { request: Request; response: Response; frame: Frame; accountId: string; sessionUid: string }

/** The sign-in page. */
export const signInPath = ({ texts }: Frame): string => `/auth/sign_in?lang=${texts.language}`

/** The parameter for returning to a page that is linked from outside, e.g. by apps. */
const backTo = ({ path }: Request): string => {
  const returnTo = returnPath(path)
  return returnTo ? `&return_to=${encodeURIComponent(returnTo)}` : ''
}

/** Handles requests of signed-in accounts; redirects others to sign-in. */
export const forSignedIn =
  (deps: VisitDeps, handle: (visit: Visit) => Promise<void>): RequestHandler =>
  async (request, response) => {
    const frame = deps.frameOf(request)
    const signedIn = await deps.browserSessions.find(request, response)
    if (!signedIn) return response.redirect(303, `${signInPath(frame)}${backTo(request)}`)
    const { accountId, uid: sessionUid } = signedIn
    const [hasSecondFactor, login] = await Promise.all([deps.secondFactors.isOn(accountId), deps.logins.find(accountId)])
    const isStaff = login !== undefined && holds(ROLES[login.role].permissions, PERMISSIONS.viewDashboard)
    const invites = login !== undefined && mayInvite(login.role, deps.config.inviters)
    await handle({ request, response, frame: { ...frame, hasSecondFactor, isStaff, mayInvite: invites }, accountId, sessionUid })
  }
