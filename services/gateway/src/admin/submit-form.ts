import { PasswordOutcome } from '@rookery/contracts/auth'
import { readBody } from '@rookery/http'
import { LimitExceeded, type RouteLimits } from '@rookery/http/limits'
import type { Logger } from '@rookery/runtime'
import type { Request, Response } from 'express'
import type { Clients } from '../clients.ts'
import { confirmView } from './confirm.ts'
import { type FormFault, faultsOf } from './form-faults.ts'
import { framed, sendView } from './layout.ts'
import type { SignedInPage, Site } from './page.ts'
import { CHOOSE } from './parts.ts'
import { callEndpointOnce, type SentForm, sentFormOf } from './sent-form.ts'
import { showPage } from './show-page.ts'
import type { Visit } from './visit.ts'

/** The texts that staff write are shorter. */
const MAX_FORM_BYTES = 256 * 1024

type Deps = { clients: Clients; limits: RouteLimits; log: Logger }

/** A form that is being sent. `open` opens the visit of the person signed in at that moment; undefined after a redirect. */
type Sending = { request: Request; response: Response; page: SignedInPage; open: () => Promise<Visit | undefined> }

/** A submitted form, with its page, visit, request and response. */
type Submission = { page: SignedInPage; visit: Visit; sent: SentForm; request: Request; response: Response }

const errorOf = (body: unknown): string => String((body as { error?: unknown })?.error ?? '')

/** Shows the page again with the faults and the submitted values. */
const showAgain = (site: Site, { page, visit, sent, response }: Submission, faults: readonly FormFault[], status: number) =>
  showPage(site, page, { ...visit, problem: { form: sent.name, values: sent.values, faults, placed: new Set() } }, response, status)

/** The values for the endpoint: without the password, which was for this page only. */
const withoutPassword = (sent: SentForm): SentForm => {
  const { current_password: _password, code: _code, ...values } = sent.values
  return sent.form.isDangerous ? { ...sent, values } : sent
}

/** Verifies the password of a form, if it was sent. @throws LimitExceeded */
const proofOf = async (clients: Clients, { visit, sent, request }: Submission): Promise<{ isProven: boolean; problem?: string }> => {
  const { current_password: password, code } = sent.values
  if (password === undefined) return { isProven: false }
  const cookies = request.headers.cookie ?? ''
  const proof = await clients.browsers.provePassword(visit.call, { cookies, password: String(password), code: String(code ?? '') })
  if (proof.outcome === PasswordOutcome.RIGHT) return { isProven: true }
  if (proof.outcome === PasswordOutcome.EXHAUSTED) throw new LimitExceeded(proof.retryAfterSeconds)
  return { isProven: false, problem: visit.texts.confirm[visit.hasSecondFactor ? 'wrongCode' : 'wrong'] }
}

/** Whether the form still needs a confirmation or the password; then the page that asks for it was sent. @throws LimitExceeded */
const awaitsAnswer = async (site: Site, clients: Clients, submission: Submission): Promise<boolean> => {
  const { page, visit, sent, response } = submission
  const needsPassword = !visit.isProven && (sent.form.isDangerous?.(sent.values) ?? false)
  const proof = needsPassword ? await proofOf(clients, submission) : { isProven: true }
  const final = sent.form.final?.(sent.values)
  if (proof.isProven && (!final || sent.isConfirmed)) return false
  const { values } = withoutPassword(sent)
  const { problem } = proof
  const view = confirmView(visit, { form: sent.name, values, about: sent.about, final, asksPassword: !proof.isProven, problem })
  sendView(response, visit, framed(visit, page, site, view), problem ? 401 : 200)
  return true
}

/** Handles the forms of a site's pages: calls their endpoints once, then shows the result. @throws Failure, LimitExceeded */
export const submitForm = (site: Site, { clients, limits, log }: Deps) => {
  const callOnce = callEndpointOnce({ clients, log })

  const finish = async (submission: Submission) => {
    const { visit, sent, response } = submission
    const { status, body } = await callOnce(visit, sent)
    const answered = { status, body: JSON.parse(body.toString()) as unknown, page: undefined }
    if (status >= 400) {
      const { values, form } = sent
      const refusal = { status, error: errorOf(answered.body), values, names: form.names, fieldsOf: form.fieldsOf }
      return showAgain(site, submission, faultsOf(refusal, visit), status)
    }
    const [path = '', search] = (sent.form.next?.(visit, answered) ?? visit.path).split('?')
    const query = new URLSearchParams(search ?? (path === visit.path ? visit.query : undefined))
    // The records that take the place of the chosen ones must not be chosen.
    query.delete(CHOOSE)
    query.set('done', sent.form.done)
    response.redirect(303, `${path}?${query}`)
  }

  const act = async (submission: Submission) => {
    const { visit, sent, request, response } = submission
    if (!sent.isOwn) return showAgain(site, submission, [{ words: visit.texts.staleForm, fields: [] }], 403)
    await limits.countIn([...sent.form.endpoint.limits], request, response)
    if (await awaitsAnswer(site, clients, submission)) return
    await finish({ ...submission, sent: withoutPassword(sent) })
  }

  return async ({ request, response, page, open }: Sending): Promise<void> => {
    const first = await open()
    if (!first) return
    const isWhole = request.complete
    const body = await readBody(request, { bytes: MAX_FORM_BYTES, files: page.files?.names ?? [], fileBytes: page.files?.bytes ?? 0 })
    try {
      // While a slow form came, the person may have been signed out.
      const visit = isWhole ? first : await open()
      if (!visit) return
      await act({ page, visit, sent: sentFormOf(page, body, visit), request, response })
    } finally {
      await body.close()
    }
  }
}
