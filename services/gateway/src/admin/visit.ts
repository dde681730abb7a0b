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

/** What went wrong with the last form: which form on which record, what was typed, and why. What fields say is `placed` by the form. */
export type Problem = { form: string; values: Values; faults: readonly FormFault[]; placed: Set<FormFault> }

/** A request of someone who is signed in, on a page of staff. */
export type Visit = {
  call: Call
  clients: Clients
  holder: TokenHolder
  formToken: string
  /** Whether they gave their password lately. */
  isProven: boolean
  /** Whether a code is asked for beside the password. */
  hasSecondFactor: boolean
  language: Language
  texts: Texts
  host: string
  root: '/admin' | '/settings'
  /** The caller's address. */
  address: string
  /** The page's own address, without parameters. */
  path: string
  params: Record<string, string>
  query: URLSearchParams
  problem: Problem | undefined
  /** A number that no form of this page had before. */
  count: () => number
  /** What makes repeats of a form known. */
  once: string
}

/** What an endpoint answered, decoded. */
export type Answered = { status: number; body: unknown; page: ListPage | undefined }

/** What goes with a call of an endpoint besides its values. */
type Extra = { call?: Call; files?: ReadonlyMap<string, UploadedFile> }

const NO_FILES: ReadonlyMap<string, UploadedFile> = new Map()

/** Path parameters of an endpoint out of values. @throws Failure not_found for what can be no id */
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
 * Calls an endpoint of the API for the person of a visit: with the same judgement of who may, of what is given, and the same answer.
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

/** What an endpoint answers, as the type that the API says it has. */
export const read = async <Entity>(visit: Visit, endpoint: Endpoint, values: Values = {}): Promise<Entity> =>
  (await ask(visit, endpoint, values)).body as Entity
