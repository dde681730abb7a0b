import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import proxyAddress from 'proxy-addr'

/** Decides whether an address is a trusted proxy's. @throws TypeError for what is no address, network or word for networks */
export const proxyTrust = (trustedProxies: readonly string[]): ((address: string, hop: number) => boolean) =>
  proxyAddress.compile([...trustedProxies])

/**
 * Reads the address a request comes from. X-Forwarded-For counts only as far as trusted proxies wrote it, and only where it names an
 * address.
 */
export const clientAddressReader = (trustedProxies: readonly string[]): ((request: IncomingMessage) => string) => {
  const connected = (request: IncomingMessage) => request.socket.remoteAddress ?? ''
  if (trustedProxies.length === 0) return connected
  const isTrusted = proxyTrust(trustedProxies)
  return (request) => {
    const address = proxyAddress(request, isTrusted)
    return isIP(address) ? address : connected(request)
  }
}

/** What is counted as one address: all of IPv4, the network of 64 bits of IPv6 (beyond-the-spec 1.5). */
export const countedAddress = (address: string): string => {
  if (!isIPv6(address)) return address
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  return `${parsed.toByteArray().slice(0, 8).join('.')}/64`
}
