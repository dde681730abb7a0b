import type { Response } from 'express'
import { framed, sendView } from './layout.ts'
import type { SignedInPage, Site } from './page.ts'
import type { Visit } from './visit.ts'

/** Sends a page of a site, with the problem of the visit's form if there is one. */
export const showPage = async (site: Site, page: SignedInPage, visit: Visit, response: Response, status = 200): Promise<void> => {
  const view = await page.read(visit)
  sendView(response, visit, framed(visit, page, site, view), status)
}
