import type { RequestListener } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { readStoredNetworks } from '@rookery/barred-networks'
import type { Database } from '@rookery/database'
import { notFound } from '@rookery/failures'
import { createBarredNetworks, createEdge, jsonErrors, preflight } from '@rookery/http'
import type { Clock, Logger } from '@rookery/runtime'
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express'
import type { MediaConfig } from '../config.ts'
import type { MediaTables } from '../database/schema.ts'
import type { OpenRemote } from '../remote/index.ts'
import { contentTypeOf, isPublicKey, MISSING_FILE, type Storage, type StoredFile } from '../storage/index.ts'
import type { WithheldFiles } from '../withholding/index.ts'

type Deps = {
  database: Database<MediaTables>
  storage: Storage
  openRemote: OpenRemote
  withheld: Pick<WithheldFiles, 'has'>
  clock: Clock
  log: Pick<Logger, 'debug' | 'warn' | 'error'>
  config: Pick<MediaConfig, 'trustedProxies'>
}

const MISSING_PATH = fileURLToPath(new URL(MISSING_FILE, import.meta.url))

const YEAR = 'public, max-age=31536000, immutable'
/** For files of other servers, which staff may reject. */
const WEEK = 'public, max-age=604800'

/** Any page may embed files, but none of them can act as a page of ours. */
const HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
}

/** Headers that describe the file, and must not be in an error answer. */
const ABOUT_THE_FILE = ['Content-Type', 'Content-Length', 'Content-Range', 'Accept-Ranges', 'ETag', 'Content-Disposition']

const withHeaders: RequestHandler = (_request, response, next) => {
  response.set(HEADERS)
  next()
}

type Range = { start: number; end: number }

/**
 * The requested range (RFC 9110, 14.2), `unsatisfiable` if it is outside the file, or undefined for the whole file: without a range, with
 * several, or if it is for another version of the file.
 */
const rangeOf = (request: Request, size: number, tag: string): Range | 'unsatisfiable' | undefined => {
  const condition = request.get('If-Range')
  if (condition !== undefined && condition !== tag) return undefined
  // A suffix range longer than the file is the whole file (RFC 9110, 14.1.2).
  const suffix = /^bytes=-(\d+)$/.exec(request.get('Range') ?? '')?.[1]
  if (size > 0 && Number(suffix) >= size) return { start: 0, end: size - 1 }
  const ranges = request.range(size)
  if (ranges === -1) return 'unsatisfiable'
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined
  return ranges[0]
}

/** Resumes an iteration after its first step. */
async function* remaining(first: IteratorResult<Buffer>, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  for (let step = first; !step.done; step = await chunks.next()) yield step.value
}

/** The file to send, and its cache lifetime. */
type Sent = { key: string; file: StoredFile; cacheControl: string }

const send = async (request: Request, response: Response, { key, file, cacheControl }: Sent): Promise<void> => {
  // A key is never written twice, so it identifies the version.
  const tag = `"${key}"`
  response.set({ 'Cache-Control': cacheControl, ETag: tag, 'Accept-Ranges': 'bytes', 'Content-Type': contentTypeOf(key) })
  response.set('Content-Disposition', `inline; filename="${key}"`)
  if (request.fresh) return void response.status(304).end()
  const range = rangeOf(request, file.size, tag)
  if (range === 'unsatisfiable') {
    for (const name of ['Content-Type', 'Content-Disposition']) response.removeHeader(name)
    response
      .status(416)
      .set({ 'Content-Range': `bytes */${file.size}`, 'Cache-Control': 'no-store' })
      .json({ error: 'Range not satisfiable' })
    return
  }
  if (range) response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`)
  response.set('Content-Length', String(range ? range.end - range.start + 1 : file.size))
  if (request.method === 'HEAD' || file.size === 0) return void response.end()
  const chunks = file.read(range)[Symbol.asyncIterator]()
  try {
    // Read before the headers are sent, so that an error can still be answered.
    const first = await chunks.next()
    await pipeline(remaining(first, chunks), response)
  } finally {
    await chunks.return?.()
  }
}

const nothing: RequestHandler = ({ path }) => {
  throw notFound(`no file at ${path}`)
}

/** Removes the file's headers from an error answer, and forbids caching it. */
const withoutFile: ErrorRequestHandler = (error, _request, response, next) => {
  // A reader that disconnects is not a server error.
  if (response.headersSent || error.code === 'ERR_STREAM_PREMATURE_CLOSE') return void response.destroy()
  for (const name of ABOUT_THE_FILE) response.removeHeader(name)
  response.set('Cache-Control', 'no-store')
  // A path that cannot be decoded is not found.
  next(error instanceof URIError ? notFound(error.message) : error)
}

/**
 * Serves files at /media/<key>, whole or in ranges, cacheable for a year (beyond-the-spec 3.4), and at /media/remote/… those of other
 * servers, which are fetched on demand. Withheld files answer like missing ones.
 */
export const serveFiles = ({ database, storage, openRemote, withheld, clock, log, config }: Deps): RequestListener => {
  const barred = createBarredNetworks({ read: () => readStoredNetworks(database), now: clock.now, log })
  const files = Router()
    .use(withHeaders, barred.refuse)
    .get(`/media/${MISSING_FILE}`, (_request, response) => response.set('Cache-Control', YEAR).sendFile(MISSING_PATH))
    .get('/media/:key', async (request, response) => {
      const { key } = request.params
      const file = isPublicKey(key) && !(await withheld.has(key)) ? await storage.open(key) : undefined
      if (!file) throw notFound(`no file ${key}`)
      await send(request, response, { key, file, cacheControl: YEAR })
    })
    .get('/media/remote/:variant/:digest/:place', async (request, response) => {
      const opened = await openRemote(request.params)
      if (!opened) throw notFound('no file of another server')
      await send(request, response, { ...opened, cacheControl: WEEK })
    })
    .options(['/media/:key', '/media/remote/:variant/:digest/:place'], preflight({ methods: 'GET, HEAD, OPTIONS', headers: 'Range' }))
    .use(nothing)
  const errors = [withoutFile, jsonErrors(log, { 'Content-Type': 'application/json; charset=utf-8' })]
  return createEdge({ log, trustedProxies: config.trustedProxies, routes: [files], errors }).answer
}
