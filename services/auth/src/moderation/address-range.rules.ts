import ipaddr from 'ipaddr.js'
import { isAddress } from '../address-blocks/index.ts'

/** Parses an IP address or CIDR range for Postgres; undefined if invalid. */
export const addressRangeOf = (text: string): string | undefined => {
  const [address = '', length, ...more] = text.trim().split('/')
  if (!isAddress(address) || more.length > 0) return undefined
  if (length === undefined) return address
  const bits = ipaddr.parse(address).kind() === 'ipv4' ? 32 : 128
  return /^\d{1,3}$/.test(length) && Number(length) <= bits ? `${address}/${Number(length)}` : undefined
}
