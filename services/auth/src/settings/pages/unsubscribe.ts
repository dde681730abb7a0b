import type { Request, Response } from 'express'
import type { NotificationEmails } from '../../accounts/notification-emails/index.ts'
import { type Frame, loginLink, noticePage, unsubscribePage } from '../../web/html/index.ts'
import { queryOf, type RouteLimits, sendPage, textOf } from '../../web/http/index.ts'
import type { Pages } from './visitor.ts'

type Deps = { notificationEmails: NotificationEmails; limits: RouteLimits; frameOf: (request: Request) => Frame }

const tokenOf = (request: Request) => textOf(queryOf(request), 'token') ?? ''

/**
 * GET and POST /auth/mail/unsubscribe, from a mail: the button of the page, or the mail client by itself (RFC 8058), unsubscribes from its
 * kind of mail. Needs no sign-in; the form's content is ignored.
 */
export const unsubscribePages = (deps: Deps): Pages => {
  const bad = async (request: Request, response: Response, frame: Frame) => {
    await deps.limits.countIn('credentials', request, response)
    sendPage(response, frame, noticePage(frame.texts.notificationMails.unsubscribe.bad, loginLink(frame.texts)), 404)
  }
  return {
    show: async (request, response) => {
      const frame = deps.frameOf(request)
      await deps.limits.refuseBeyond('credentials', request, response)
      const token = tokenOf(request)
      const kind = await deps.notificationEmails.kindOf(token)
      if (!kind) return bad(request, response, frame)
      sendPage(response, frame, unsubscribePage(frame, { token, kind }))
    },
    submit: async (request, response) => {
      const frame = deps.frameOf(request)
      await deps.limits.refuseBeyond('credentials', request, response)
      if (!(await deps.notificationEmails.unsubscribe(tokenOf(request)))) return bad(request, response, frame)
      sendPage(response, frame, noticePage(frame.texts.notificationMails.unsubscribe.done, loginLink(frame.texts)))
    },
  }
}
