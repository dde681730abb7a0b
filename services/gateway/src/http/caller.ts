import type { IncomingMessage } from 'node:http'
import proxyAddress from 'proxy-addr'

/** Decides whether an address is a trusted proxy's. @throws TypeError for what is no address, network or word for networks */
export const proxyTrust = (trustedProxies: readonly string[]): ((address: string, hop: number) => boolean) =>
  proxyAddress.compile([...trustedProxies])

/** Reads the address of whoever calls. X-Forwarded-For counts only as far as trusted proxies wrote it. */
export const callerReader = (trustedProxies: readonly string[]): ((request: IncomingMessage) => string) => {
  if (trustedProxies.length === 0) return (request) => request.socket.remoteAddress ?? ''
  const isTrusted = proxyTrust(trustedProxies)
  return (request) => proxyAddress(request, isTrusted)
}
