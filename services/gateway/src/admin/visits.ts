import { randomUUID } from 'node:crypto'
import { addressOf, callOf, checkedValues, stateOf } from '@rookery/http'
import type { RouteLimits } from '@rookery/http/limits'
import { chooseLanguage } from '@rookery/pages'
import type { Request, Response } from 'express'
import type { Clients } from '../clients.ts'
import { admit } from '../http/access.ts'
import type { Frame } from './layout.ts'
import type { SignedInPage, Site } from './page.ts'
import { TEXTS } from './texts/index.ts'
import type { Visit } from './visit.ts'

/** Turns requests of a site into visits of the person signed in in the browser. */
export type Visits = {
  /** The language and texts for a request, also without a session. */
  frameOf(request: Request): Frame
  /** The visit of a request; undefined if it was redirected to sign in. @throws Failure forbidden, LimitExceeded */
  open(page: Pick<SignedInPage, 'access'>, request: Request, response: Response): Promise<Visit | undefined>
}

const queryOf = ({ originalUrl }: Request) => new URLSearchParams(originalUrl.split('?').slice(1).join('?'))

/** The query parameters, checked like those of the API. @throws Failure malformed */
const checkedQueryOf = (request: Request): URLSearchParams => {
  const query = queryOf(request)
  checkedValues([...query])
  return query
}

const sendToSignIn = (request: Request, response: Response, { path, language }: { path: string; language: Frame['language'] }): void => {
  const back = request.method === 'POST' ? request.path : request.originalUrl
  response.redirect(303, `${path}?${new URLSearchParams({ lang: language, return_to: back })}`)
}

/** Opens visits. Access to a page is checked like that to an API endpoint, and each visit counts against the account's rate limit. */
export const createVisits = ({ root }: Pick<Site, 'root'>, { clients, limits }: { clients: Clients; limits: RouteLimits }): Visits => {
  const { host } = new URL(clients.config.baseUrl)
  const frameOf = (request: Request): Frame => {
    const language = chooseLanguage(queryOf(request).get('lang'), request.headers['accept-language'])
    return { language, texts: TEXTS[language], host, root }
  }
  return {
    frameOf,
    async open(page, request, response) {
      const frame = frameOf(request)
      const call = callOf(response)
      const browser = await clients.browsers.check(call, { cookies: request.headers.cookie ?? '' })
      const { holder, formToken, isProven, hasSecondFactor } = browser
      if (!holder || browser.needsSecondFactor) {
        const path = holder ? '/auth/account/second_factor' : '/auth/sign_in'
        sendToSignIn(request, response, { path, language: frame.language })
        return undefined
      }
      stateOf(response).accountId = holder.accountId
      await limits.countIn('account', request, response)
      admit(page.access, holder, clients.config.restrictions)
      let number = 0
      return {
        ...frame,
        call,
        clients,
        holder,
        formToken,
        isProven,
        hasSecondFactor,
        address: addressOf(request),
        path: request.path,
        params: request.params as Record<string, string>,
        query: checkedQueryOf(request),
        problem: undefined,
        count: () => ++number,
        once: randomUUID(),
      }
    },
  }
}
