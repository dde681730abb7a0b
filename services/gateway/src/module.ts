import { cachePool } from '@rookery/cache'
import { createRenderer } from '@rookery/entities'
import type { Invalidations, RateCounter } from '@rookery/ephemeral'
import { createEdge, jsonErrors, preflight } from '@rookery/http'
import { createRateLimiter } from '@rookery/http/limits'
import { type Clock, cacheMetrics, type Logger, type ServiceModule } from '@rookery/runtime'
import { type RequestHandler, Router } from 'express'
import { acceptedTypes } from './accepted-types.ts'
import { staffNavigation } from './admin/layout.ts'
import { serveSite } from './admin/serve.ts'
import { ADMIN_FILES, ADMIN_PAGES } from './admin/table.ts'
import type { ServiceClients } from './clients.ts'
import type { GatewayConfig } from './config.ts'
import { API_HEADERS } from './http/answer.ts'
import { refuseBarredBy } from './http/barred.ts'
import { serveEndpoints } from './http/endpoints.ts'
import { redirectActivityRequests } from './http/redirect-activity-requests.ts'
import { servePages } from './pages/pages.ts'
import { endpoints } from './routes/index.ts'
import { SETTINGS } from './settings/table.ts'
import { createRememberingCheck, createTokenCheck } from './tokens.ts'
import { createVapidKey } from './vapid-key.ts'

export { ADMIN_PAGES } from './admin/table.ts'
export { type ServiceClients, serviceClients } from './clients.ts'
export { type GatewayConfig, readGatewayConfig } from './config.ts'
export { endpoints } from './routes/index.ts'
export { SETTINGS } from './settings/table.ts'

const METHODS = 'GET, POST, PUT, PATCH, DELETE, OPTIONS'

/** The dependencies of the gateway. */
type GatewayDeps = {
  services: ServiceClients
  rates: RateCounter
  invalidations: Invalidations
  clock: Clock
  log: Logger
  config: GatewayConfig
}

/** The module: every endpoint of the API, over calls to the services, and public pages for browsers. It owns no data. */
export const createGateway = ({ services, rates, invalidations, clock, log, config }: GatewayDeps): ServiceModule => {
  const pool = cachePool({ maxBytes: config.cacheBytes })
  const render = createRenderer({ baseUrl: config.baseUrl, pool, caches: 'rendered' })
  const limits = createRateLimiter({ rates, now: clock.now, isOn: config.hasRateLimits })
  const vapidKey = createVapidKey({ push: services.push, clock })
  const clients = { ...services, render, config, clock, vapidKey, accepted: acceptedTypes({ ...services, clock }) }
  const checkToken = config.remembersTokens
    ? createRememberingCheck({ tokens: services.tokens, invalidations, clock, memory: pool.cache('token holders') })
    : createTokenCheck(services.tokens)
  const api = serveEndpoints({ endpoints, clients, checkToken, limits, log })
  const barred = refuseBarredBy({ ipBlocks: services.ipBlocks, clock, log })
  const pages = Router().use(
    serveSite(
      { root: '/admin', pages: ADMIN_PAGES, files: ADMIN_FILES, navigation: staffNavigation(ADMIN_PAGES) },
      { clients, limits, log },
    ),
    serveSite(SETTINGS, { clients, limits, log }),
    redirectActivityRequests(config),
    servePages({ endpoints, clients, limits, log }),
    api,
  )
  // No page is under /api/, so API requests skip the pages' middleware.
  const byPath: RequestHandler = (request, response, next) => (request.url.startsWith('/api/') ? api : pages)(request, response, next)
  const routes = [barred, preflight({ methods: METHODS }), byPath]
  const edge = createEdge({ log, trustedProxies: config.trustedProxies, routes, errors: jsonErrors(log, API_HEADERS) })
  return {
    baseUrl: config.baseUrl,
    rpc: [],
    http: edge.answer,
    metrics: cacheMetrics(pool),
    consumers: [],
    jobs: [],
  }
}
