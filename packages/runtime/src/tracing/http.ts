import type { RequestListener } from 'node:http'
import { routeOf } from '@rookery/http'
import { methodOf } from '../http.ts'
import type { Tracing } from './tracing.ts'

/** A listener that starts a trace for each request. Trace headers of clients are ignored: anyone may send them. */
export const tracedHttp = (http: RequestListener, tracing: Tracing | undefined): RequestListener => {
  if (!tracing) return http
  return (request, response) => {
    const over = new Promise<void>((resolve) => response.once('close', resolve))
    const method = methodOf(request)
    return tracing.span({ name: method, kind: 'server', parent: '' }, async (_trace, note) => {
      await Promise.all([http(request, response), over])
      const route = routeOf(request)
      const attributes = { 'http.request.method': method, 'http.route': route, 'http.response.status_code': response.statusCode }
      note({ name: `${method} ${route}`, attributes })
    })
  }
}
