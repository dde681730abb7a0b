import { pipeline } from 'node:stream/promises'
import { Failure } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { RequestHandler } from 'express'
import { CSV_FILES, type DataExport } from '../../accounts/exports/index.ts'
import type { Imports } from '../../accounts/imports/index.ts'
import type { Throttle } from '../../throttle.ts'
import { dataPage } from '../../web/html/index.ts'
import { PageFault, sendPage, textOf } from '../../web/http/index.ts'
import { forSignedIn, type Visit, type VisitDeps } from './visitor.ts'

type Deps = VisitDeps & { dataExport: DataExport; imports: Imports; throttle: Throttle; onFault: (error: unknown) => void }

/** Export and import of an account's data. */
type DataPages = {
  /** GET /auth/account/data. */
  show: RequestHandler
  /** POST /auth/account/data: imports a file. */
  submit: RequestHandler
  /** GET /auth/account/data/archive.zip. */
  archive: RequestHandler
  /** GET /auth/account/data/:file: one CSV file. */
  file: RequestHandler
  /** GET /auth/account/data/imports/:id/failures.csv. */
  failures: RequestHandler
}

/** Streams a file. If reading fails, the connection is destroyed, so that a partial file is not mistaken for a complete one. */
const sendFile = async (
  deps: Deps,
  { response }: Visit,
  file: { name: string; type: string; content: AsyncIterable<string | Uint8Array> },
) => {
  response.type(file.type).attachment(file.name)
  await pipeline(file.content, response).catch((error: NodeJS.ErrnoException) => {
    // A client that disconnects is not a fault.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') deps.onFault(error)
    response.destroy()
  })
}

type Said = { note?: string; error?: string; chosen?: { kind: string; mode: string } }

const show = async (deps: Deps, { request, response, frame, accountId }: Visit, said: Said = {}) => {
  const imports = await deps.imports.latest(accountId)
  const formToken = await deps.formTokens.issue(request, response)
  sendPage(response, frame, dataPage(frame, { formToken, files: CSV_FILES, imports, ...said }), said.error ? 422 : 200)
}

/** A rate limit: an archive reads everything that the account posted, and an import is a long job. */
const refuseTooMany = async ({ throttle }: Deps, limit: 'archives' | 'imports', accountId: string) => {
  const retryAfterSeconds = await throttle([{ limit, by: accountId }])
  if (retryAfterSeconds !== undefined) throw new PageFault('throttled', 429, { retryAfterSeconds })
}

/** Reads the form with its file; undefined if the file is too large. */
const readUpload = ({ formTokens }: Deps, { request }: Visit) =>
  formTokens.readUpload(request).catch((error: unknown) => {
    if (error instanceof Failure && error.kind === 'invalid') return undefined
    throw error
  })

const takeFile = async (deps: Deps, visit: Visit) => {
  const { frame, accountId } = visit
  const upload = await readUpload(deps, visit)
  if (!upload) return show(deps, visit, { error: frame.texts.data.unreadable })
  const { parameters, text } = upload
  const kind = textOf(parameters, 'kind') ?? ''
  if (!CSV_FILES.some((each) => each.kind === kind)) throw new PageFault('invalid_request', 422)
  await refuseTooMany(deps, 'imports', accountId)
  const mode = textOf(parameters, 'mode') ?? ''
  const fault = await deps.imports.add({ accountId, kind, replaces: mode === 'overwrite', text })
  await show(deps, visit, fault ? { error: frame.texts.data[fault], chosen: { kind, mode } } : { note: frame.texts.data.taken })
}

/** The page of an account's data, and its files, which are streamed while they are read. */
export const dataPages = (deps: Deps): DataPages => ({
  show: forSignedIn(deps, (visit) => show(deps, visit)),
  submit: forSignedIn(deps, (visit) => takeFile(deps, visit)),
  archive: forSignedIn(deps, async (visit) => {
    await refuseTooMany(deps, 'archives', visit.accountId)
    const content = deps.dataExport.archive(visit.accountId)
    await sendFile(deps, visit, { name: 'archive.zip', type: 'application/zip', content })
  }),
  file: forSignedIn(deps, async (visit) => {
    const name = String(visit.request.params['file'])
    const content = deps.dataExport.csv(visit.accountId, name)
    if (!content) throw new PageFault('not_found', 404)
    await sendFile(deps, visit, { name, type: 'text/csv; charset=utf-8', content })
  }),
  failures: forSignedIn(deps, async (visit) => {
    const id = String(visit.request.params['id'])
    if (!isId(id) || !(await deps.imports.isOf(visit.accountId, id))) throw new PageFault('not_found', 404)
    const content = deps.imports.failures(visit.accountId, id)
    await sendFile(deps, visit, { name: 'failures.csv', type: 'text/csv; charset=utf-8', content })
  }),
})
