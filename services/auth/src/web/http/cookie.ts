import type { Request } from 'express'

/** A cookie of a request as it was sent; undefined without. */
export const cookieOf = (request: Request, name: string): string | undefined => {
  const pairs = (request.headers.cookie ?? '').split(/;\s*/).map((pair) => pair.split('='))
  return pairs.find(([key]) => key === name)?.[1]
}
