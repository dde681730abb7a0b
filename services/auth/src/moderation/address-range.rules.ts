import { isIP } from 'node:net'

const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 }

/** An address, or a range of addresses with the length of its prefix (CIDR), as Postgres reads it; undefined for what is neither. */
export const addressRangeOf = (text: string): string | undefined => {
  const [address = '', length, ...more] = text.trim().split('/')
  const bits = BITS[isIP(address)]
  if (bits === undefined || address.includes('%') || more.length > 0) return undefined
  if (length === undefined) return address
  return /^\d{1,3}$/.test(length) && Number(length) <= bits ? `${address}/${Number(length)}` : undefined
}
