import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js'

/** Decides whether a socket may connect; the address is an IP address, never a name. */
export type MayConnect = (place: { address: string; port: number }) => boolean

/** Prefixes that embed the IPv4 address that is actually dialled: mapped (RFC 4291, 2.5.5.2) and NAT64 (RFC 6052, 2.1). */
const HOLDING_IPV4 = ['::ffff:0:0/96', '64:ff9b::/96'].map((prefix) => ipaddr.IPv6.parseCIDR(prefix))

/** IPv4-compatible addresses in dotted form (RFC 4291, 2.5.5.1), which the library takes for mapped ones. */
const COMPATIBLE = /^::\d+\./

/** The interface identifiers of ISATAP (RFC 5214, 6.1), which tunnels to the IPv4 address after them. */
const ISATAP = new Set(['00005efe', '02005efe'])

const hex = (bytes: readonly number[]) => Buffer.from(bytes).toString('hex')

/** The IPv4 address in the last 32 bits. */
const lastFour = (bytes: readonly number[]): IPv4 => ipaddr.parse(bytes.slice(12).join('.')) as IPv4

const isGlobal4 = (address: IPv4): boolean => address.range() === 'unicast'

/**
 * Addresses that embed an IPv4 address are judged by it: mapped, NAT64 and ISATAP. Other ways to embed one, such as 6to4, Teredo,
 * IPv4-compatible and local NAT64, belong to no public host and are always refused.
 */
const isGlobal6 = (address: IPv6): boolean => {
  if (address.zoneId) return false
  const bytes = address.toByteArray()
  if (HOLDING_IPV4.some((prefix) => address.match(prefix))) return isGlobal4(lastFour(bytes))
  const isUnicast = address.range() === 'unicast' && (bytes[0]! & 0xe0) === 0x20
  return isUnicast && (!ISATAP.has(hex(bytes.slice(8, 12))) || isGlobal4(lastFour(bytes)))
}

/** Whether an address is that of a single host on the public internet; false for text that is not an address. */
export const isGlobalUnicast = (text: string): boolean => {
  if (COMPATIBLE.test(text)) return false
  let address: IPv4 | IPv6
  try {
    address = ipaddr.parse(text)
  } catch {
    return false
  }
  return address.kind() === 'ipv4' ? isGlobal4(address as IPv4) : isGlobal6(address as IPv6)
}

/**
 * Allows hosts of the public internet, at certain ports only: web servers answer at the default ones, and other servers (mail, databases)
 * may misinterpret a request.
 */
export const mayConnectTo =
  ({ ports = [80, 443] }: { ports?: readonly number[] } = {}): MayConnect =>
  ({ address, port }) =>
    ports.includes(port) && isGlobalUnicast(address)
