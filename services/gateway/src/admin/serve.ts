import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { PasswordOutcome } from '@rookery/contracts/auth'
import { type Failure, type FailureKind, notFound } from '@rookery/failures'
import { addressOf, type Body, callOf, checkedValues, failureOf, readBody, reportFault, stateOf, type Values } from '@rookery/http'
import { LimitExceeded, type RouteLimits } from '@rookery/http/limits'
import { chooseLanguage, FORM_TOKEN, type Html, html } from '@rookery/pages'
import type { Logger } from '@rookery/runtime'
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express'
import type { Clients } from '../clients.ts'
import { admit } from '../http/access.ts'
import type { Answer } from '../http/answer.ts'
import { createIdempotency } from '../http/idempotency.ts'
import { confirmView } from './confirm.ts'
import { type Frame, framed, sendView } from './layout.ts'
import type { AdminFile, Form, SignedInPage, Site } from './page.ts'
import { CHOOSE, FORM_NAME, FORM_ONCE } from './parts.ts'
import { TEXTS, type Texts } from './texts/index.ts'
import { ask, type Visit } from './visit.ts'

/** Texts that staff write are shorter. */
const MAX_FORM_BYTES = 256 * 1024

type Deps = { clients: Clients; limits: RouteLimits; log: Logger }

/** A form that was sent: which, with what, and what makes its repeats known. */
type Sent = { name: string; form: Form; values: Values; once: string; files: Body['files'] }

const queryOf = ({ originalUrl }: Request) => new URLSearchParams(originalUrl.split('?').slice(1).join('?'))

/** The query, of which no text holds what the API refuses as well. @throws Failure malformed */
const checkedQueryOf = (request: Request): URLSearchParams => {
  const query = queryOf(request)
  checkedValues([...query])
  return query
}

const isEqual = (text: unknown, other: string) => {
  const [a, b] = [Buffer.from(String(text)), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Sent twice with the same values a form is repeated; with others, as after going back, it is another one. */
const keyOf = (once: string, values: Values): string =>
  once ? `${once} ${createHash('sha256').update(JSON.stringify(values)).digest('base64url')}` : randomUUID()

const wordsOf = (body: unknown): string => String((body as { error?: unknown })?.error ?? '')

/** What a page says of a failure that is not about one of its forms. */
const FAULTS: Record<FailureKind, readonly [number, keyof Texts['faults']]> = {
  malformed: [400, 'invalid'],
  unauthenticated: [403, 'forbidden'],
  forbidden: [403, 'forbidden'],
  not_found: [404, 'notFound'],
  conflict: [409, 'invalid'],
  invalid: [422, 'invalid'],
  exhausted: [429, 'throttled'],
  unavailable: [503, 'unavailable'],
  broken: [500, 'broken'],
}

const faultPart = (root: Site['root'], title: string, text: string, { kind, message }: Failure): Html =>
  html`<h1>${title}</h1><p class="lead">${text}</p>${kind === 'invalid' || kind === 'malformed' ? html`<p class="technical">${message}</p>` : undefined}
<p class="foot"><a href="${root}">${root}</a></p>`

/**
 * Pages for people who are signed in: those of staff, and the settings of one's account (docs/decisions/0031). Each shows what endpoints of the API answer to the person who is signed in in the browser, and its
 * forms call endpoints: who may do what, and what is wrong with what was typed, is judged there.
 */
export const serveSite = (site: Site, { clients, limits, log }: Deps): RequestHandler => {
  const { host } = new URL(clients.config.baseUrl)
  const repeats = createIdempotency({ ...clients, log })
  const frameOf = (request: Request): Frame => {
    const language = chooseLanguage(queryOf(request).get('lang'), request.headers['accept-language'])
    return { language, texts: TEXTS[language], host, root: site.root }
  }

  /** Who asks for a page; undefined for those who were sent to sign in. @throws Failure forbidden, LimitExceeded */
  const open = async (page: Pick<SignedInPage, 'access'>, request: Request, response: Response): Promise<Visit | undefined> => {
    const frame = frameOf(request)
    const call = callOf(response)
    const browser = await clients.browsers.check(call, { cookies: request.headers.cookie ?? '' })
    const { holder, formToken, isProven, hasSecondFactor } = browser
    if (!holder || browser.needsSecondFactor) {
      const back = request.method === 'POST' ? request.path : request.originalUrl
      const path = holder ? '/auth/account/second_factor' : '/auth/sign_in'
      response.redirect(303, `${path}?${new URLSearchParams({ lang: frame.language, return_to: back })}`)
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
  }

  const show = async (response: Response, page: SignedInPage, visit: Visit, status = 200) => {
    const view = await page.read(visit)
    sendView(response, visit, framed(visit, page, site, view), status)
  }

  /** The same page with what is wrong, and with what was typed. */
  const showAgain = (
    response: Response,
    page: SignedInPage,
    visit: Visit,
    { sent, words, status }: { sent: Sent; words: string; status: number },
  ) => show(response, page, { ...visit, problem: { form: sent.name, values: sent.values, words } }, status)

  const sentOf = (page: SignedInPage, { values: all, files }: Body, params: Record<string, string>): Sent => {
    const { [FORM_TOKEN]: _token, [FORM_NAME]: name, [FORM_ONCE]: once, ...values } = all
    const form = typeof name === 'string' && page.forms && Object.hasOwn(page.forms, name) ? page.forms[name] : undefined
    if (!form) throw notFound(`no form ${name} on ${page.path}`)
    return { name: String(name), form, values: { ...values, ...params }, once: typeof once === 'string' ? once.slice(0, 100) : '', files }
  }

  /** Calls the endpoint of a form: once, however often the form is sent. @throws Failure, LimitExceeded */
  const act = async (visit: Visit, { name, form, values, once, files }: Sent): Promise<Answer> => {
    const given = form.values?.(values) ?? values
    const run = async (call: Visit['call']): Promise<Answer> => {
      const { status, body } = await ask(visit, form.endpoint, given, { call, files })
      return { status, headers: {}, body: Buffer.from(JSON.stringify(body) ?? 'null') }
    }
    const route = `${name} ${visit.path} ${form.endpoint.method} ${form.endpoint.path}`
    return repeats.once(visit.call, { key: keyOf(once, given), by: { token: visit.formToken }, route, values: given, files }, run)
  }

  /** Whether the password that dangerous forms ask for is missing; a page that asks for it was sent then. */
  const awaitsPassword = async (request: Request, response: Response, page: SignedInPage, visit: Visit, sent: Sent): Promise<boolean> => {
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

  const finish = async (response: Response, page: SignedInPage, visit: Visit, sent: Sent) => {
    const { status, body } = await act(visit, sent)
    const answered = { status, body: JSON.parse(body.toString()) as unknown, page: undefined }
    if (status >= 400) return showAgain(response, page, visit, { sent, words: wordsOf(answered.body), status })
    const [path = '', search] = (sent.form.next?.(visit, answered) ?? visit.path).split('?')
    const query = new URLSearchParams(search ?? (path === visit.path ? visit.query : undefined))
    // What comes in place of the chosen records was not chosen.
    query.delete(CHOOSE)
    query.set('done', sent.form.done)
    response.redirect(303, `${path}?${query}`)
  }

  const submit = async (request: Request, response: Response, page: SignedInPage) => {
    const visit = await open(page, request, response)
    if (!visit) return
    const body = await readBody(request, { bytes: MAX_FORM_BYTES, files: page.files?.names ?? [], fileBytes: page.files?.bytes ?? 0 })
    try {
      const sent = sentOf(page, body, visit.params)
      if (!isEqual(body.values[FORM_TOKEN], visit.formToken)) {
        return await showAgain(response, page, visit, { sent, words: visit.texts.staleForm, status: 403 })
      }
      await limits.countIn([...sent.form.endpoint.limits], request, response)
      if (await awaitsPassword(request, response, page, visit, sent)) return
      const { current_password: _password, code: _code, ...values } = sent.values
      await finish(response, page, visit, sent.form.isDangerous ? { ...sent, values } : sent)
    } finally {
      await body.close()
    }
  }

  const save = async (request: Request, response: Response, file: AdminFile) => {
    const visit = await open(file, request, response)
    if (!visit) return
    response.set({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${file.name}"`,
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    })
    await pipeline(file.write(visit), response)
  }

  const failed: ErrorRequestHandler = (error, request, response, _next) => {
    if (response.headersSent) return void response.destroy()
    const frame = frameOf(request)
    const { faults } = frame.texts
    if (error instanceof LimitExceeded) response.setHeader('Retry-After', String(error.retryAfterSeconds))
    else reportFault(log, error, response)
    const [status, fault] = error instanceof LimitExceeded ? ([429, 'throttled'] as const) : FAULTS[failureOf(error).kind]
    const { title, text } = faults[fault]
    sendView(response, frame, { title, body: faultPart(site.root, title, text, failureOf(error)) }, status)
  }

  const router = Router({ caseSensitive: true }).use(limits.on('address'))
  for (const file of site.files) router.get(file.path, (request, response) => save(request, response, file))
  for (const page of site.pages) {
    router.get(page.path, async (request, response) => {
      const visit = await open(page, request, response)
      if (visit) await show(response, page, visit)
    })
    if (page.forms) router.post(page.path, (request, response) => submit(request, response, page))
  }
  router.use(({ path }: Request) => {
    throw notFound(`no page at ${path}`)
  }, failed)
  return (request, response, next) => {
    const isOurs = request.path === site.root || request.path.startsWith(`${site.root}/`)
    return isOurs ? router(request, response, next) : next()
  }
}
