import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The part of an address that rate limits count by: all of IPv4, the /64 network of IPv6 (beyond-the-spec 1.5). */
export const countedAddress = (address: string): string => {
  if (!isIPv6(address)) return address
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  return `${parsed.toByteArray().slice(0, 8).join('.')}/64`
}
