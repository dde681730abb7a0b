import type { Request } from 'express'

/** The undecoded value of a cookie of a request; undefined if it is missing. */
export const cookieOf = (request: Request, name: string): string | undefined => {
  const pairs = (request.headers.cookie ?? '').split(/;\s*/).map((pair) => pair.split('='))
  return pairs.find(([key]) => key === name)?.[1]
}
