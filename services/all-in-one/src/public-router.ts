import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ServiceModule } from '@rookery/runtime'

type Deps = {
  auth: ServiceModule
  federation: ServiceModule
  media: ServiceModule
  streaming: ServiceModule
  gateway: ServiceModule
}

/** Whole segments, as an ingress matches them: /authorize_interaction is not auth's. */
const OF_AUTH = /^\/(?:oauth|auth|disputes|invite|\.well-known\/oauth-authorization-server)(?:\/|$)/

/** Requests of other servers. */
const OF_FEDERATION = /^\/(?:users|inbox|actor)(?:\/|$)/

/** The service that answers a path, as the ingress of a cluster decides it. */
export const ownerOf = (path: string): 'auth' | 'federation' | 'media' | 'streaming' | 'gateway' => {
  if (path.startsWith('/api/v1/streaming')) return 'streaming'
  if (path.startsWith('/api/')) return 'gateway'
  if (path === '/oauth/userinfo' || path === '/oauth/userinfo/') return 'gateway'
  if (OF_AUTH.test(path)) return 'auth'
  if (OF_FEDERATION.test(path)) return 'federation'
  return path.startsWith('/media/') ? 'media' : 'gateway'
}

/** One origin for everything: sign-in pages, files, streams, requests of other servers, the API and public pages. */
export const createPublicRouter = (deps: Deps) => ({
  answer: (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? '/').split('?', 1)[0]!
    return deps[ownerOf(path)].http?.(request, response)
  },
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer): unknown => {
    const path = (request.url ?? '/').split('?', 1)[0]!
    const { upgrade } = deps.streaming
    if (ownerOf(path) === 'streaming' && upgrade) return upgrade(request, socket, head)
    return socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
  },
})
