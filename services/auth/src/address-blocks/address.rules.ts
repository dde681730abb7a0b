import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import type { IpBlockSeverity } from '../database/tables/address-block.ts'

const SEVERITIES = ['sign_up_requires_approval', 'sign_up_block', 'no_access'] as const satisfies readonly IpBlockSeverity[]

/** Parses a severity; undefined if invalid. */
export const severityOf = (text: string): IpBlockSeverity | undefined => SEVERITIES.find((severity) => severity === text)

/** The strictest of some severities. */
export const strictest = (severities: readonly IpBlockSeverity[]): IpBlockSeverity | undefined =>
  SEVERITIES.findLast((severity) => severities.includes(severity))

/** Whether a text is an IP address; ipaddr.js alone would accept IPv4 addresses with fewer than four parts. */
export const isAddress = (text: string) => ipaddr.IPv4.isValidFourPartDecimal(text) || (ipaddr.IPv6.isValid(text) && !text.includes('%'))

/**
 * Normalises a typed network: an address, or CIDR notation. Host bits are cleared, and IPv4-mapped IPv6 becomes IPv4. Undefined if invalid
 * or of prefix length 0.
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

/** Whether a network, as `networkOf` writes it, contains an address. */
export const contains = (network: string, address: string): boolean => {
  const [within, length] = ipaddr.parseCIDR(network)
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return parsed.kind() === within.kind() && parsed.match(within, length)
}

/**
 * The SHA-256 of the canonical form of an e-mail address, as in Mastodon: without dots and without anything after a plus, so that all
 * spellings of a mailbox are equal.
 */
export const canonicalHash = (email: string): string => {
  const address = email.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  const mailbox = address.slice(0, Math.max(0, at)).replaceAll('.', '').split('+', 1)[0]
  return createHash('sha256')
    .update(`${mailbox}@${address.slice(at + 1)}`)
    .digest('hex')
}

/** Whether a text has the form of a hash by `canonicalHash`. */
export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)
