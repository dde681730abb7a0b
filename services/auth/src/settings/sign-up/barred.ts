import type { Clock } from '@rookery/runtime'
import type { Request, RequestHandler, Response } from 'express'
import { barOf, type Logins } from '../../logins/index.ts'
import { type AccountActs, isOpenToAppeal, type Strike } from '../../moderation/index.ts'
import { barredPage, type Frame } from '../../web/html/index.ts'
import { type FormTokens, PageFault, sendPage, type Tickets, textOf } from '../../web/http/index.ts'
import { appealableOf } from './strike-view.ts'

/** How long the form of an appeal is valid, in milliseconds. */
const TICKET_LIVES = 60 * 60_000

const APPEAL = '/disputes/appeal'

type Deps = {
  logins: Pick<Logins, 'find'>
  acts: Pick<AccountActs, 'strikes'>
  formTokens: FormTokens
  appealTickets: Tickets
  clock: Clock
  frameOf: (request: Request) => Frame
}

type Visitor = { request: Request; response: Response; accountId: string }

/** Whether the visitor is authenticated enough to appeal; the typed text and its error. */
type Shown = { status: number; mayAppeal: boolean; typed?: string; error?: string }

/** The page for people who cannot sign in. */
export type Barred = {
  /** Shows an authenticated person why they cannot sign in, and whom to ask. `mayAppeal` only if no factor is missing. */
  send(visitor: Visitor, given: { mayAppeal: boolean }): Promise<void>
  /** POST /disputes/appeal: an appeal without sign-in. */
  appeal: RequestHandler
}

type Bar = ReturnType<typeof barOf>
const ACTS: Partial<Record<Bar, string>> = { disabled: 'disable', suspended: 'suspend' }

/** The act of staff that prevents sign-in, if any. */
const strikeOf = async ({ acts }: Deps, accountId: string, bar: Bar): Promise<Strike | undefined> => {
  const strikes = ACTS[bar] ? await acts.strikes.of(accountId) : []
  return strikes.find(({ action, isTakenBack }) => action === ACTS[bar] && !isTakenBack)
}

/** The parameters of the appeal's form; undefined if the act is not open to appeal. */
const formOf = async ({ formTokens, appealTickets, clock }: Deps, { request, response, accountId }: Visitor, strike: Strike) => {
  const now = clock.now()
  if (!isOpenToAppeal(strike, now)) return undefined
  const ticket = await appealTickets.seal(`${accountId}:${strike.id}`, now + TICKET_LIVES)
  return { action: APPEAL, formToken: await formTokens.issue(request, response), ticket }
}

const show = async (deps: Deps, visitor: Visitor, { status, mayAppeal, ...again }: Shown) => {
  const { request, response, accountId } = visitor
  const frame = deps.frameOf(request)
  const { texts } = frame
  const login = await deps.logins.find(accountId)
  const bar = login ? barOf(login) : 'closing'
  const strike = mayAppeal ? await strikeOf(deps, accountId, bar) : undefined
  const form = strike && (await formOf(deps, visitor, strike))
  const contact = { path: `/about?lang=${texts.language}`, name: texts.signUp.rules }
  const view = strike && appealableOf(strike, form && { ...form, ...again })
  sendPage(response, frame, barredPage(frame, { text: texts.barred[bar], contact, strike: view }), status)
}

/** The page and its form, whose ticket proves the account and the act. */
export const createBarred = (deps: Deps): Barred => ({
  send: (visitor, { mayAppeal }) => show(deps, visitor, { status: 403, mayAppeal }),
  appeal: async (request, response) => {
    const form = await deps.formTokens.read(request)
    const [accountId, id] = (await deps.appealTickets.open(textOf(form, 'ticket') ?? '', deps.clock.now()))?.split(':') ?? []
    if (!accountId || !id) throw new PageFault('stale_form', 403)
    const typed = textOf(form, 'text') ?? ''
    const fault = await deps.acts.strikes.appeal(accountId, id, typed)
    const { any } = deps.frameOf(request).texts.violations
    const again = fault ? { status: 422, typed, error: any[fault] ?? fault } : { status: 200 }
    await show(deps, { request, response, accountId }, { mayAppeal: true, ...again })
  },
})
