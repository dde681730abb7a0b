import type { AccountsDefinition } from '@rookery/contracts/statuses'
import type { Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { Passkeys } from '../../credentials/passkeys/index.ts'
import { type SecondFactors, uriOf } from '../../credentials/second-factors/index.ts'
import type { Logins } from '../../logins/index.ts'
import { loginLink, noticePage, recoveryCodesPage, secondFactorPage, turnOnPage } from '../../web/html/index.ts'
import { callOf, type Parameters, queryOf, sendPage, type Tickets, textOf } from '../../web/http/index.ts'
import { nextPath, secondFactorPath } from '../destination/index.ts'
import { proofOf } from './proof.ts'
import { forSignedIn, type Pages, type Visit, type VisitDeps } from './visitor.ts'

/** How long a displayed secret can be turned on, in milliseconds. */
const SECRET_LIVES = 30 * 60_000

type Deps = VisitDeps & {
  logins: Logins
  secondFactors: SecondFactors
  passkeys: Passkeys
  factorTickets: Tickets
  clock: Clock
  host: string
  statuses: { accounts: Client<AccountsDefinition> }
}

type Wrong = { problem: string; status: number }

const show = async (deps: Deps, visit: Visit, wrong?: Wrong) => {
  const { request, response, frame, accountId } = visit
  const state = await deps.secondFactors.read(accountId)
  if (!state) return showSecret(deps, visit, deps.secondFactors.makeSharedSecret())
  const formToken = await deps.formTokens.issue(request, response)
  const action = secondFactorPath(queryOf(request), frame.texts.language)
  sendPage(
    response,
    frame,
    secondFactorPage(frame, { action, formToken, hasPasskeys: deps.passkeys.isPossible, problem: wrong?.problem, ...state }),
    wrong?.status,
  )
}

const usernameOf = async ({ statuses }: Deps, { response, accountId }: Visit): Promise<string | undefined> => {
  const named = await statuses.accounts.readUsernames(callOf(response), { ids: [accountId] }).catch(() => undefined)
  return named?.accounts[0]?.username
}

/** Shows a secret, which is turned on with one of its codes. Until then it is stored only in the page, in a ticket for this account. */
const showSecret = async (deps: Deps, visit: Visit, secret: string, wrong?: Wrong) => {
  const { request, response, frame, accountId } = visit
  const query = queryOf(request)
  const [login, username] = await Promise.all([deps.logins.find(accountId), usernameOf(deps, visit)])
  const view = {
    action: secondFactorPath(query, frame.texts.language),
    formToken: await deps.formTokens.issue(request, response),
    ticket: await deps.factorTickets.seal(`${accountId}:on:${secret}`, deps.clock.now() + SECRET_LIVES),
    secret,
    uri: uriOf({ secret, host: deps.host, account: username ?? login?.email ?? '' }),
    hasPasskeys: deps.passkeys.isPossible,
    isRequired: login !== undefined && (await deps.secondFactors.isMissing(login)),
    problem: wrong?.problem,
  }
  sendPage(response, frame, turnOnPage(frame, view), wrong?.status)
}

const showCodes = ({ request, response, frame }: Visit, codes: readonly string[]) =>
  sendPage(response, frame, recoveryCodesPage(frame, { codes, next: nextPath(queryOf(request)) }))

const turnOn = async (deps: Deps, visit: Visit, form: Parameters) => {
  const { frame, accountId } = visit
  const sealed = await deps.factorTickets.open(textOf(form, 'ticket') ?? '', deps.clock.now())
  const [owner, purpose, secret] = sealed?.split(':') ?? []
  if (owner !== accountId || purpose !== 'on' || !secret) return show(deps, visit)
  const { problem, proved } = await proofOf(deps, visit, form)
  if (!proved) return showSecret(deps, visit, secret, { problem, status: 401 })
  const codes = await deps.secondFactors.turnOn(proved, { secret, code: textOf(form, 'code') ?? '' })
  if (!codes) return showSecret(deps, visit, secret, { problem: frame.texts.secondFactor.wrong, status: 422 })
  showCodes(visit, codes)
}

const change = async (deps: Deps, visit: Visit, form: Parameters) => {
  const { response, frame } = visit
  const { problem, proved } = await proofOf(deps, visit, form)
  if (!proved) return show(deps, visit, { problem, status: 401 })
  if (textOf(form, 'act') === 'off') {
    await deps.secondFactors.turnOff(proved)
    return sendPage(response, frame, noticePage(frame.texts.secondFactor.off, loginLink(frame.texts)))
  }
  const codes = await deps.secondFactors.renewRecoveryCodes(proved)
  return codes ? showCodes(visit, codes) : show(deps, visit)
}

/** GET and POST /auth/account/second_factor: turns it on and off, and renews recovery codes. All need re-authentication. */
export const secondFactorPages = (deps: Deps): Pages => ({
  show: forSignedIn(deps, (visit) => show(deps, visit)),
  submit: forSignedIn(deps, async (visit) => {
    const form = await deps.formTokens.read(visit.request)
    const isOn = await deps.secondFactors.isOn(visit.accountId)
    await (isOn ? change : turnOn)(deps, visit, form)
  }),
})
