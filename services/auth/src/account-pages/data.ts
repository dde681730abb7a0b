import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RequestHandler } from 'express'
import { PageFault, sendPage } from '../http/index.ts'
import { dataPage } from '../pages/index.ts'
import type { Portability } from '../portability/index.ts'
import type { Limit, Throttle } from '../throttle.ts'
import { forSignedIn, type Visit, type VisitGiven } from './visitor.ts'

/** A whole archive reads all that somebody ever posted. */
const PER_LOGIN: Limit = { name: 'archive.login', most: 10, windowSeconds: 3600 }

type Given = VisitGiven & { portability: Portability; throttle: Throttle; onFault: (error: unknown) => void }

/** What somebody takes along. */
export type DataPages = {
  /** GET /auth/account/data. */
  show: RequestHandler
  /** GET /auth/account/data/archive.zip. */
  archive: RequestHandler
  /** GET /auth/account/data/:file, a list by itself. */
  file: RequestHandler
}

/** Sends what is read as a file. What breaks off is cut off, so that nobody takes the half of it for the whole. */
const sendFile = async (given: Given, { response }: Visit, file: { name: string; type: string; content: NodeJS.ReadableStream }) => {
  response.type(file.type).attachment(file.name)
  await pipeline(file.content, response).catch((error: NodeJS.ErrnoException) => {
    // Somebody who goes away is no fault.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') given.onFault(error)
    response.destroy()
  })
}

/** The page of one's data, and its files: each is written while it is read. */
export const dataPages = (given: Given): DataPages => ({
  show: forSignedIn(given, async ({ response, frame }) => sendPage(response, frame, dataPage(frame))),
  archive: forSignedIn(given, async (visit) => {
    const retryAfterSeconds = await given.throttle([{ limit: PER_LOGIN, subject: visit.accountId }])
    if (retryAfterSeconds !== undefined) throw new PageFault('throttled', 429, { retryAfterSeconds })
    const content = given.portability.archive(visit.accountId, given.onFault)
    await sendFile(given, visit, { name: 'archive.zip', type: 'application/zip', content })
  }),
  file: forSignedIn(given, async (visit) => {
    const name = String(visit.request.params['file'])
    const content = given.portability.csv(visit.accountId, name)
    if (!content) throw new PageFault('not_found', 404)
    await sendFile(given, visit, { name, type: 'text/csv; charset=utf-8', content: Readable.from(content, { objectMode: false }) })
  }),
})
