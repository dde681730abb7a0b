import { wantsActivity } from '@rookery/http'
import type { RequestHandler } from 'express'

/** The path of a profile or post of this server. */
const PAGE = /^\/@([^/@]+)(?:\/(\d{1,20}))?\/?$/

/** Redirects requests for a profile or post as activity JSON to federation (docs/decisions/0030-federation.md). */
export const redirectActivityRequests =
  ({ baseUrl }: { baseUrl: string }): RequestHandler =>
  ({ method, path, headers: { accept } }, response, next) => {
    const [, name, id] = PAGE.exec(path) ?? []
    if (!name || !(method === 'GET' || method === 'HEAD') || !wantsActivity(accept)) return next()
    const actor = `${baseUrl}/users/${name}`
    response
      .writeHead(302, { Location: id ? `${actor}/statuses/${id}` : actor, Vary: 'Accept', 'Cache-Control': 'public, max-age=180' })
      .end()
  }
