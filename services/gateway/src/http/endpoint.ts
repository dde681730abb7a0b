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

/** The request as a handler sees it. */
export type Context<Input> = {
  call: Call
  /** Path parameters. */
  params: Record<string, string>
  input: Input
  files: ReadonlyMap<string, UploadedFile>
  /** The account of the token, when one was sent. */
  holder: TokenHolder | undefined
  /** The token itself, empty when none was sent. It is a secret: nothing may log it. */
  token: string
  /** The viewer's account id; empty for anonymous readers and apps. */
  viewerId: string
  /** The address of the caller, after trusted proxies. */
  address: string
  idempotencyKey: string
}

/** A page of a list for its Link header: by cursors, or by the number of records before it. */
export type ListPage = { cursors: Cursors | undefined; style: LinkStyle } | { offset: number; isFull: boolean }

/** An answer that is more than a JSON value. */
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
 * The form of a list's Link header (beyond-the-spec 1.6). `newer` is the parameter of rel="prev"; `whenever` decides whether every page
 * that is not empty has a next one, or only full ones.
 */
export type LinkStyle = { newer: 'min_id' | 'since_id'; whenever: 'not empty' | 'full' }

/** A timeline: both links on any page that is not empty. */
export const TIMELINE: LinkStyle = { newer: 'min_id', whenever: 'not empty' }
/** A list of statuses paged by association. */
export const STATUS_LIST: LinkStyle = { newer: 'min_id', whenever: 'full' }
/** A list of people. */
export const ACCOUNT_LIST: LinkStyle = { newer: 'since_id', whenever: 'full' }

/** One operation of the API, as a value: the router, the document, the scope check and the tests of completeness are made from it. */
export type Endpoint = {
  readonly method: Method
  readonly path: string
  readonly access: Access
  readonly summary: string
  readonly input: z.ZodObject | undefined
  /** Names of the parameters it takes. */
  readonly parameters: ReadonlySet<string>
  /** Names of files it takes. */
  readonly files: readonly string[]
  /** Bytes of a file at most. */
  readonly fileBytes: number
  /** Rate limits it counts in, besides those of every request. */
  readonly limits: readonly LimitName[]
  /** It answers repeats of an Idempotency-Key itself. */
  readonly answersRepeats: boolean
  readonly handle: (context: Context<never>, clients: Clients) => Promise<unknown>
}

type Declared<Schema extends z.ZodObject> = {
  method: Method
  path: string
  access: Access
  /** What it does, in a sentence for the document. */
  summary: string
  input?: Schema
  files?: readonly string[]
  /** Bytes of a file at most, where that is not what a picture may have. */
  fileBytes?: number
  limits?: readonly LimitName[]
  answersRepeats?: boolean
  handle: (context: Context<z.output<Schema>>, clients: Clients) => Promise<unknown>
}

/** Declares an endpoint; `handle` gets its input decoded. */
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
