import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether a base URL is a loopback address, reachable only from this machine. */
export const isLoopback = (baseUrl: string): boolean => {
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  if (family === 0) return host === 'localhost' || host.endsWith('.localhost')
  return LOOPBACK.check(host, family === 6 ? 'ipv6' : 'ipv4')
}
