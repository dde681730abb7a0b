import type { IncomingMessage } from 'node:http'
import proxyAddress from 'proxy-addr'

/**
 * Reads the address of whoever calls. X-Forwarded-For counts only as far as trusted proxies wrote it: addresses, networks, or the words
 * loopback, linklocal and uniquelocal.
 * @throws TypeError for what is none of these
 */
export const callerReader = (trustedProxies: readonly string[]): ((request: IncomingMessage) => string) => {
  const isTrusted = proxyAddress.compile([...trustedProxies])
  return trustedProxies.length === 0 ? (request) => request.socket.remoteAddress ?? '' : (request) => proxyAddress(request, isTrusted)
}
