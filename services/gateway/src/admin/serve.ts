import { pipeline } from 'node:stream/promises'
import { notFound } from '@rookery/failures'
import type { RouteLimits } from '@rookery/http/limits'
import type { Logger } from '@rookery/runtime'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import type { Clients } from '../clients.ts'
import { faultPages } from './faults.ts'
import type { AdminFile, Site } from './page.ts'
import { showPage } from './show-page.ts'
import { submitForm } from './submit-form.ts'
import type { Visit } from './visit.ts'
import { createVisits } from './visits.ts'

/** Headers of every answer to signed-in people, and of redirects to sign in. */
const HEADERS = {
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

const sendFile = async (response: Response, file: AdminFile, visit: Visit) => {
  response.set({
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${file.name}"`,
  })
  await pipeline(file.write(visit), response)
}

/**
 * Serves pages for signed-in people: those of staff, and the account's settings (docs/decisions/0031). Each shows what API endpoints answer
 * to the person signed in in the browser, and its forms call endpoints, which check permissions and values.
 */
export const serveSite = (site: Site, deps: { clients: Clients; limits: RouteLimits; log: Logger }): RequestHandler => {
  const visits = createVisits(site, deps)
  const submit = submitForm(site, deps)
  const router = Router({ caseSensitive: true }).use(deps.limits.on('address'))
  for (const file of site.files) {
    router.get(file.path, async (request, response) => {
      const visit = await visits.open(file, request, response)
      if (visit) await sendFile(response, file, visit)
    })
  }
  for (const page of site.pages) {
    router.get(page.path, async (request, response) => {
      const visit = await visits.open(page, request, response)
      if (visit) await showPage(site, page, visit, response)
    })
    if (!page.forms) continue
    router.post(page.path, (request, response) => submit({ request, response, page, open: () => visits.open(page, request, response) }))
  }
  router.use(
    ({ path }: Request) => {
      throw notFound(`no page at ${path}`)
    },
    faultPages({ visits, log: deps.log }),
  )
  return (request, response, next) => {
    const isOurs = request.path === site.root || request.path.startsWith(`${site.root}/`)
    if (!isOurs) return next()
    response.set(HEADERS)
    return router(request, response, next)
  }
}
