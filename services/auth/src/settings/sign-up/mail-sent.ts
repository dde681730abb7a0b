import type { Clock } from '@rookery/runtime'
import type { Request, RequestHandler, Response } from 'express'
import type { Confirmations } from '../../credentials/confirmations/index.ts'
import { type Frame, mailSentPage } from '../../web/html/index.ts'
import { type FormTokens, PageFault, sendPage, type Tickets, textOf } from '../../web/http/index.ts'
import type { KeptDestination } from '../destination/index.ts'

const TICKET_LIVES_MILLISECONDS = 24 * 3600 * 1000

type Deps = {
  confirmations: Confirmations
  formTokens: FormTokens
  destination: KeptDestination
  tickets: Tickets
  clock: Clock
  frameOf: (request: Request) => Frame
}

/** The page that asks to check the mailbox. */
export type MailSent = {
  /** Shows the page to a person who just authenticated. Its button is valid for a day; a cookie keeps the destination. */
  show(request: Request, response: Response, frame: Frame, accountId: string, isResent?: { isResent: boolean }): Promise<void>
  /** POST /auth/confirmation/resend: the button of the page. */
  resend: RequestHandler
}

/** The page and its button, which sends the confirmation mail again, within the rate limit. */
export const createMailSent = (deps: Deps): MailSent => {
  const show: MailSent['show'] = async (request, response, frame, accountId, { isResent } = { isResent: false }) => {
    const formToken = await deps.formTokens.issue(request, response)
    const ticket = await deps.tickets.seal(accountId, deps.clock.now() + TICKET_LIVES_MILLISECONDS)
    if (!isResent) deps.destination.keep(request, response)
    const action = `/auth/confirmation/resend?lang=${frame.texts.language}`
    sendPage(response, frame, mailSentPage(frame, { action, formToken, ticket, isResent }))
  }
  return {
    show,
    resend: async (request, response) => {
      const parameters = await deps.formTokens.read(request)
      const accountId = await deps.tickets.open(textOf(parameters, 'ticket') ?? '', deps.clock.now())
      if (accountId === undefined) throw new PageFault('stale_form', 403)
      const retryAfterSeconds = await deps.confirmations.resend(accountId)
      if (retryAfterSeconds !== undefined) throw new PageFault('throttled', 429, { retryAfterSeconds })
      await show(request, response, deps.frameOf(request), accountId, { isResent: true })
    },
  }
}
