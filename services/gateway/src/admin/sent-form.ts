import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { notFound } from '@rookery/failures'
import type { Body, Values } from '@rookery/http'
import { FORM_TOKEN } from '@rookery/pages'
import type { Logger } from '@rookery/runtime'
import type { Clients } from '../clients.ts'
import type { Answer } from '../http/answer.ts'
import { createIdempotency } from '../http/idempotency.ts'
import type { Form, SignedInPage } from './page.ts'
import { FORM_ABOUT, FORM_CONFIRMED, FORM_NAME, FORM_ONCE } from './parts.ts'
import { ask, type Visit } from './visit.ts'

/** A submitted form: its name, values, idempotency key, and whether its CSRF token belongs to this session. */
export type SentForm = {
  name: string
  form: Form
  values: Values
  /** The name of the record it is about. */
  about: string
  /** Whether it was confirmed. */
  isConfirmed: boolean
  once: string
  files: Body['files']
  isOwn: boolean
}

const MAX_ABOUT = 200

const isEqual = (text: unknown, other: string) => {
  const [a, b] = [Buffer.from(String(text)), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * The idempotency key: the same form sent again with the same values is a repeat; with other values, as after going back, it is a new
 * request.
 */
const keyOf = (once: string, values: Values): string =>
  once ? `${once} ${createHash('sha256').update(JSON.stringify(values)).digest('base64url')}` : randomUUID()

const isText = (value: unknown): value is string => typeof value === 'string'

/** The strings and lists of strings of a body: no form of a page sends anything else. */
const textsOf = (values: Values): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, string | string[]][] => {
      if (isText(value)) return [[name, value]]
      return Array.isArray(value) && value.every(isText) ? [[name, value]] : []
    }),
  )

/** The page's form that a body names. @throws Failure not_found if the page has no such form */
export const sentFormOf = (page: SignedInPage, { values: all, files }: Body, { params, formToken }: Visit): SentForm => {
  const {
    [FORM_TOKEN]: token,
    [FORM_NAME]: name,
    [FORM_ONCE]: once,
    [FORM_ABOUT]: about,
    [FORM_CONFIRMED]: confirmed,
    ...values
  } = textsOf(all)
  const form = typeof name === 'string' && page.forms && Object.hasOwn(page.forms, name) ? page.forms[name] : undefined
  if (!form) throw notFound(`no form ${name} on ${page.path}`)
  return {
    name: String(name),
    form,
    values: { ...values, ...params },
    about: typeof about === 'string' ? about.slice(0, MAX_ABOUT) : '',
    isConfirmed: confirmed === 'true',
    once: typeof once === 'string' ? once.slice(0, 100) : '',
    files,
    isOwn: isEqual(token, formToken),
  }
}

/** Calls the endpoint of a form once, however often the form is submitted. @throws Failure, LimitExceeded */
export const callEndpointOnce = (deps: { clients: Clients; log: Logger }) => {
  const repeats = createIdempotency({ ...deps.clients, log: deps.log })
  return async (visit: Visit, { name, form, values, once, files }: SentForm): Promise<Answer> => {
    const given = form.values?.(values) ?? values
    const run = async (call: Visit['call']): Promise<Answer> => {
      const { status, body } = await ask(visit, form.endpoint, given, { call, files })
      return { status, headers: {}, body: Buffer.from(JSON.stringify(body) ?? 'null') }
    }
    const route = `${name} ${visit.path} ${form.endpoint.method} ${form.endpoint.path}`
    return repeats.once(visit.call, { key: keyOf(once, given), by: { token: visit.formToken }, route, values: given, files }, run)
  }
}
