import type { Clock } from '@rookery/runtime'
import type { Request, Response } from 'express'
import type { SecondFactors } from '../../credentials/second-factors/index.ts'
import { isActive, type Login, type Logins, type Proved } from '../../logins/index.ts'
import { digestOf } from '../../secrets.ts'
import { codePage } from '../../web/html/index.ts'
import { type RouteLimits, sendPage, type Tickets, textOf } from '../../web/http/index.ts'
import { sameQuery } from '../destination/index.ts'
import type { PasskeySignIn } from './passkey-sign-in.ts'
import type { Pages, VisitDeps } from './visitor.ts'

/** The time limit of the second step, in milliseconds. */
const STEP_LIVES = 10 * 60_000

type Deps = VisitDeps & { secondFactors: SecondFactors; logins: Logins; factorTickets: Tickets; limits: RouteLimits; clock: Clock }

/** Continues with an account that is signed in. */
type Welcome = (request: Request, response: Response, proved: Proved) => Promise<void>

/** The subject of a ticket: the account and the digest of its password hash, so that changing the password invalidates the ticket. */
const subjectOf = (login: Login | undefined): string | undefined =>
  login && isActive(login) ? `${login.accountId}:${digestOf(login.passwordHash).toString('base64url')}` : undefined

/** The login of a ticket, whose password was right; undefined if it is invalid or expired. */
const readTicket = async ({ factorTickets, logins, clock }: Deps, ticket: string): Promise<Login | undefined> => {
  const subject = await factorTickets.open(ticket, clock.now())
  const accountId = subject?.split(':')[0]
  const login = accountId ? await logins.find(accountId) : undefined
  return login && subject === subjectOf(login) ? login : undefined
}

/**
 * The second step of signing in, after the right password. The state is only in a sealed ticket in the page: there is no session before the
 * second factor is right, so no other page is accessible.
 */
export const createSecondStep = (deps: Deps, { passkeySignIn, welcome }: { passkeySignIn: PasskeySignIn; welcome: Welcome }) => {
  const ask = async (
    request: Request,
    response: Response,
    given: { ticket: string; accountId: string; problem?: string; status?: number },
  ) => {
    const frame = deps.frameOf(request)
    const { ticket, accountId, problem, status } = given
    const formToken = await deps.formTokens.issue(request, response)
    const passkey = await passkeySignIn.question(request, response, { formToken, accountId })
    const action = sameQuery(request, '/auth/sign_in/code')
    sendPage(response, frame, codePage(frame, { action, formToken, ticket, passkey, problem }), status)
  }
  const begin = async (request: Request, response: Response, accountId: string) => {
    const subject = subjectOf(await deps.logins.find(accountId))
    const ticket = await deps.factorTickets.seal(subject ?? '', deps.clock.now() + STEP_LIVES)
    await ask(request, response, { ticket, accountId })
  }
  const loginOf = (ticket: string) => readTicket(deps, ticket)
  const again = (request: Request, response: Response) => response.redirect(303, sameQuery(request, '/auth/sign_in'))
  /** GET and POST /auth/sign_in/code. */
  const pages: Pages = {
    show: (request, response) => again(request, response),
    submit: async (request, response) => {
      const { secondFactor, signIn } = deps.frameOf(request).texts
      await deps.limits.refuseBeyond('credentials', request, response)
      const form = await deps.formTokens.read(request)
      const ticket = textOf(form, 'ticket') ?? ''
      const login = await loginOf(ticket)
      if (!login) return again(request, response)
      const { accountId } = login
      const checked = await deps.secondFactors.check(accountId, textOf(form, 'code') ?? '')
      if (checked.outcome === 'exhausted') {
        response.setHeader('Retry-After', String(checked.retryAfterSeconds))
        return ask(request, response, { ticket, accountId, problem: signIn.throttled, status: 429 })
      }
      if (checked.outcome === 'wrong') {
        await deps.limits.countIn('credentials', request, response)
        return ask(request, response, { ticket, accountId, problem: secondFactor.wrong, status: 401 })
      }
      await deps.logins.recordSignIn(accountId)
      await welcome(request, response, login)
    },
  }
  return { begin, loginOf, pages }
}
