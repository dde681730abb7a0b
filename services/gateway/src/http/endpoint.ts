import type { TokenHolder } from '@rookery/contracts/auth'
import type { Cursors } from '@rookery/contracts/common'
import { LIMITS } from '@rookery/contracts/limits'
import type { UploadedFile } from '@rookery/http'
import type { LimitName } from '@rookery/http/limits'
import type { Call } from '@rookery/rpc'
import type { z } from 'zod'
import type { Clients } from '../clients.ts'
import type { Access } from './access.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The context of a request for a handler. */
export type Context<Input> = {
  call: Call
  /** Path parameters. */
  params: Record<string, string>
  input: Input
  files: ReadonlyMap<string, UploadedFile>
  /** The holder of the token, if one was sent. */
  holder: TokenHolder | undefined
  /** The token, empty without one. A secret: never log it. */
  token: string
  /** The viewer's account id; empty for anonymous readers and apps. */
  viewerId: string
  /** The caller's address, resolved through trusted proxies. */
  address: string
  idempotencyKey: string
}

/** The position of a page for its Link header: cursors, or the number of records before it. */
export type ListPage = { cursors: Cursors | undefined; style: LinkStyle } | { offset: number; isFull: boolean }

/** An answer with more than a JSON value. */
export class Reply {
  readonly body: unknown
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly page: ListPage | undefined

  constructor(body: unknown, options: { status?: number; headers?: Record<string, string>; page?: Reply['page'] } = {}) {
    this.body = body
    this.status = options.status ?? 200
    this.headers = options.headers ?? {}
    this.page = options.page
  }
}

/**
 * The form of a list's Link header (beyond-the-spec 1.6). `newer` is the parameter of rel="prev"; `whenever` says whether every page that
 * is not empty has a next link, or only full ones.
 */
export type LinkStyle = { newer: 'min_id' | 'since_id'; whenever: 'not empty' | 'full' }

/** Timelines: both links on every page that is not empty. */
export const TIMELINE: LinkStyle = { newer: 'min_id', whenever: 'not empty' }
/** Lists of statuses, such as favourites. */
export const STATUS_LIST: LinkStyle = { newer: 'min_id', whenever: 'full' }
/** A list of people. */
export const ACCOUNT_LIST: LinkStyle = { newer: 'since_id', whenever: 'full' }

/** An operation of the API, as a value: the router, the document, the scope check and the tests of completeness are derived from it. */
export type Endpoint = {
  readonly method: Method
  readonly path: string
  readonly access: Access
  readonly summary: string
  readonly input: z.ZodObject | undefined
  /** The names of its parameters. */
  readonly parameters: ReadonlySet<string>
  /** The names of its files. */
  readonly files: readonly string[]
  /** Maximum bytes of a file. */
  readonly fileBytes: number
  /** Rate limits it counts in, in addition to those of every request. */
  readonly limits: readonly LimitName[]
  /** It handles the Idempotency-Key itself. */
  readonly answersRepeats: boolean
  readonly handle: (context: Context<never>, clients: Clients) => Promise<unknown>
}

type Declared<Schema extends z.ZodObject> = {
  method: Method
  path: string
  access: Access
  /** A sentence for the document. */
  summary: string
  input?: Schema
  files?: readonly string[]
  /** Maximum bytes of a file, if not that of pictures. */
  fileBytes?: number
  limits?: readonly LimitName[]
  answersRepeats?: boolean
  handle: (context: Context<z.output<Schema>>, clients: Clients) => Promise<unknown>
}

/** Declares an endpoint; `handle` gets its decoded input. */
export const endpoint = <Schema extends z.ZodObject = z.ZodObject<Record<never, never>>>(declared: Declared<Schema>): Endpoint => ({
  ...declared,
  input: declared.input,
  parameters: new Set(Object.keys(declared.input?.shape ?? {})),
  files: declared.files ?? [],
  fileBytes: declared.fileBytes ?? LIMITS.media.imageBytes,
  limits: declared.limits ?? [],
  answersRepeats: declared.answersRepeats ?? false,
  handle: declared.handle as unknown as Endpoint['handle'],
})
