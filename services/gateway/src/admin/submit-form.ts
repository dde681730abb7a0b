import { PasswordOutcome } from '@rookery/contracts/auth'
import { readBody } from '@rookery/http'
import { LimitExceeded, type RouteLimits } from '@rookery/http/limits'
import type { Logger } from '@rookery/runtime'
import type { Request, Response } from 'express'
import type { Clients } from '../clients.ts'
import { confirmView } from './confirm.ts'
import { framed, sendView } from './layout.ts'
import type { SignedInPage, Site } from './page.ts'
import { CHOOSE } from './parts.ts'
import { callEndpointOnce, type SentForm, sentFormOf } from './sent-form.ts'
import { showPage } from './show-page.ts'
import type { Visit } from './visit.ts'

/** Texts that staff write are shorter. */
const MAX_FORM_BYTES = 256 * 1024

type Deps = { clients: Clients; limits: RouteLimits; log: Logger }

/** A form that was sent: on which page, by whom, and where the answer goes. */
type Submission = { page: SignedInPage; visit: Visit; sent: SentForm; request: Request; response: Response }

const wordsOf = (body: unknown): string => String((body as { error?: unknown })?.error ?? '')

/** The same page with what is wrong, and with what was typed. */
const showAgain = (site: Site, { page, visit, sent, response }: Submission, words: string, status: number) =>
  showPage(site, page, { ...visit, problem: { form: sent.name, values: sent.values, words } }, response, status)

/** Whether the password that dangerous forms ask for is missing; a page that asks for it was sent then. @throws LimitExceeded */
const awaitsPassword = async (site: Site, clients: Clients, { page, visit, sent, request, response }: Submission): Promise<boolean> => {
  if (visit.isProven || !sent.form.isDangerous?.(sent.values)) return false
  const { current_password: password, code, ...values } = sent.values
  let problem: string | undefined
  if (password !== undefined) {
    const cookies = request.headers.cookie ?? ''
    const proof = await clients.browsers.provePassword(visit.call, { cookies, password: String(password), code: String(code ?? '') })
    if (proof.outcome === PasswordOutcome.RIGHT) return false
    if (proof.outcome === PasswordOutcome.EXHAUSTED) throw new LimitExceeded(proof.retryAfterSeconds)
    problem = visit.texts.confirm[visit.hasSecondFactor ? 'wrongCode' : 'wrong']
  }
  const view = confirmView(visit, { form: sent.name, values, problem })
  sendView(response, visit, framed(visit, page, site, view), problem ? 401 : 200)
  return true
}

/** What the endpoint is given: not the password, which was for this page alone. */
const withoutPassword = (sent: SentForm): SentForm => {
  const { current_password: _password, code: _code, ...values } = sent.values
  return sent.form.isDangerous ? { ...sent, values } : sent
}

/** Takes the forms of a site's pages: calls their endpoints once, then shows what came of it. @throws Failure, LimitExceeded */
export const submitForm = (site: Site, { clients, limits, log }: Deps) => {
  const callOnce = callEndpointOnce({ clients, log })

  const finish = async (submission: Submission) => {
    const { visit, sent, response } = submission
    const { status, body } = await callOnce(visit, sent)
    const answered = { status, body: JSON.parse(body.toString()) as unknown, page: undefined }
    if (status >= 400) return showAgain(site, submission, wordsOf(answered.body), status)
    const [path = '', search] = (sent.form.next?.(visit, answered) ?? visit.path).split('?')
    const query = new URLSearchParams(search ?? (path === visit.path ? visit.query : undefined))
    // What comes in place of the chosen records was not chosen.
    query.delete(CHOOSE)
    query.set('done', sent.form.done)
    response.redirect(303, `${path}?${query}`)
  }

  return async (request: Request, response: Response, page: SignedInPage, visit: Visit): Promise<void> => {
    const body = await readBody(request, { bytes: MAX_FORM_BYTES, files: page.files?.names ?? [], fileBytes: page.files?.bytes ?? 0 })
    try {
      const sent = sentFormOf(page, body, visit)
      const submission = { page, visit, sent, request, response }
      if (!sent.isOwn) return await showAgain(site, submission, visit.texts.staleForm, 403)
      await limits.countIn([...sent.form.endpoint.limits], request, response)
      if (await awaitsPassword(site, clients, submission)) return
      await finish({ ...submission, sent: withoutPassword(sent) })
    } finally {
      await body.close()
    }
  }
}
