import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ServiceModule } from '@rookery/runtime'
import { createWelcome } from './welcome.ts'

type Given = {
  auth: ServiceModule
  media: ServiceModule
  streaming: ServiceModule
  gateway: ServiceModule
  title: string
  baseUrl: string
}

/** Whose answer a path is, as the ingress of a cluster would decide it. */
export const ownerOf = (path: string): 'auth' | 'media' | 'streaming' | 'welcome' | 'gateway' => {
  if (path.startsWith('/api/v1/streaming')) return 'streaming'
  if (path.startsWith('/api/')) return 'gateway'
  if (path === '/') return 'welcome'
  if (path.startsWith('/oauth') || path.startsWith('/auth') || path.startsWith('/.well-known/oauth-authorization-server')) return 'auth'
  return path.startsWith('/media/') ? 'media' : 'gateway'
}

/** One origin for everything: sign-in pages, files, streams, the API, and a page that says what this is. */
export const createFront = (given: Given) => {
  const welcome = createWelcome(given)
  return {
    answer: (request: IncomingMessage, response: ServerResponse) => {
      const path = (request.url ?? '/').split('?', 1)[0]!
      const owner = ownerOf(path)
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      if (owner === 'welcome' && isRead) return welcome(request, response)
      given[owner === 'welcome' ? 'gateway' : owner].http?.(request, response)
    },
    upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const path = (request.url ?? '/').split('?', 1)[0]!
      if (ownerOf(path) === 'streaming' && given.streaming.upgrade) given.streaming.upgrade(request, socket, head)
      else socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    },
  }
}
