import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import type { IpBlockSeverity } from '../database/tables/address-block.ts'

const SEVERITIES = ['sign_up_requires_approval', 'sign_up_block', 'no_access'] as const satisfies readonly IpBlockSeverity[]

/** The severity a text names; undefined where it names none. */
export const severityOf = (text: string): IpBlockSeverity | undefined => SEVERITIES.find((severity) => severity === text)

/** The strictest of these severities. */
export const strictest = (severities: readonly IpBlockSeverity[]): IpBlockSeverity | undefined =>
  SEVERITIES.findLast((severity) => severities.includes(severity))

/** Whether a text is an IP address; ipaddr.js alone would read fewer than four numbers too. */
export const isAddress = (text: string) => ipaddr.IPv4.isValidFourPartDecimal(text) || (ipaddr.IPv6.isValid(text) && !text.includes('%'))

/**
 * A network as typed: an address, or an address and the length of a prefix. Bits behind the prefix are cleared, an IPv4 address in an IPv6
 * one is IPv4. Undefined for what is none, and for everyone's.
 */
export const networkOf = (typed: string): string | undefined => {
  const [address = '', length, ...more] = typed.trim().split('/')
  if (!isAddress(address) || more.length > 0) return undefined
  const parsed = ipaddr.process(address)
  const isMapped = parsed.kind() === 'ipv4' && address.includes(':')
  const bits = parsed.kind() === 'ipv4' ? 32 : 128
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return undefined
  const prefix = length === undefined ? bits : Number(length) - (isMapped ? 96 : 0)
  if (prefix < 1 || prefix > bits) return undefined
  const network =
    parsed.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(`${parsed}/${prefix}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${prefix}`)
  return `${network}/${prefix}`
}

/** Whether a network as `networkOf` writes it contains an address. */
export const contains = (network: string, address: string): boolean => {
  const [within, length] = ipaddr.parseCIDR(network)
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return parsed.kind() === within.kind() && parsed.match(within, length)
}

/** The SHA-256 of an address in the spelling that all spellings of a mailbox share, as upstream writes it: no dots, nothing behind a plus. */
export const canonicalHash = (email: string): string => {
  const address = email.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  const mailbox = address.slice(0, Math.max(0, at)).replaceAll('.', '').split('+', 1)[0]
  return createHash('sha256')
    .update(`${mailbox}@${address.slice(at + 1)}`)
    .digest('hex')
}

/** Whether text is a hash as `canonicalHash` writes it. */
export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)
