import type { TokenHolder } from '@rookery/contracts/auth'
import { notFound } from '@rookery/failures'
import type { UploadedFile, Values } from '@rookery/http'
import { isId } from '@rookery/ids'
import type { Language } from '@rookery/pages'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'
import { admit } from '../http/access.ts'
import { type Context, type Endpoint, type ListPage, Reply } from '../http/endpoint.ts'
import { decode } from '../http/fields.ts'
import type { FormFault } from './form-faults.ts'
import type { Texts } from './texts/index.ts'

/** The problem of a refused form: its name, values and faults. The form adds those shown at fields to `placed`. */
export type Problem = { form: string; values: Values; faults: readonly FormFault[]; placed: Set<FormFault> }

/** A request of a signed-in person for a page. */
export type Visit = {
  call: Call
  clients: Clients
  holder: TokenHolder
  formToken: string
  /** Whether they entered their password recently. */
  isProven: boolean
  /** Whether a code is required beside the password. */
  hasSecondFactor: boolean
  language: Language
  texts: Texts
  host: string
  root: '/admin' | '/settings'
  /** The caller's address. */
  address: string
  /** The path of the page, without parameters. */
  path: string
  params: Record<string, string>
  query: URLSearchParams
  problem: Problem | undefined
  /** A number that is unique among the forms of the page. */
  count: () => number
  /** The idempotency key of the page's forms. */
  once: string
}

/** The decoded answer of an endpoint. */
export type Answered = { status: number; body: unknown; page: ListPage | undefined }

/** Further arguments of a call to an endpoint. */
type Extra = { call?: Call; files?: ReadonlyMap<string, UploadedFile> }

const NO_FILES: ReadonlyMap<string, UploadedFile> = new Map()

/** The path parameters of an endpoint, from values. @throws Failure not_found for an invalid id */
const paramsOf = ({ path }: Endpoint, values: Values): Record<string, string> =>
  Object.fromEntries(
    [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
      const value = String(values[name] ?? '')
      const isIdName = name === 'id' || name.endsWith('_id')
      if (value === '' || (isIdName && !isId(value))) throw notFound(`${value} is no ${name}`)
      return [name, value]
    }),
  )

/**
 * Calls an API endpoint for the person of a visit, with the same checks of permissions and values, and the same answer, as over HTTP.
 * @throws Failure as the endpoint does
 */
export const ask = async (
  visit: Visit,
  endpoint: Endpoint,
  values: Values = {},
  { call = visit.call, files }: Extra = {},
): Promise<Answered> => {
  const { holder, clients, address } = visit
  admit(endpoint.access, holder, clients.config.restrictions)
  const params = paramsOf(endpoint, values)
  const context: Context<never> = {
    call,
    params,
    input: (endpoint.input ? decode(endpoint.input, { ...values, ...params }) : {}) as never,
    files: files ?? NO_FILES,
    holder,
    token: '',
    viewerId: holder.accountId,
    address,
    idempotencyKey: '',
  }
  const result = await endpoint.handle(context, clients)
  const { status, body, page } = result instanceof Reply ? result : new Reply(result)
  return { status, body: Buffer.isBuffer(body) ? JSON.parse(body.toString()) : body, page }
}

/** The answer of an endpoint, as the type that the API documents. */
export const read = async <Entity>(visit: Visit, endpoint: Endpoint, values: Values = {}): Promise<Entity> =>
  (await ask(visit, endpoint, values)).body as Entity
