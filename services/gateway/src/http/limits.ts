import { isIPv6 } from 'node:net'
import type { RateCounter } from '@rookery/ephemeral'
import ipaddr from 'ipaddr.js'

/** How often something may be done within a window, counted by account or by address. */
export type RateLimit = { name: string; most: number; windowSeconds: number; by: 'account' | 'address' }

const FIVE_MINUTES = 300
const HALF_HOUR = 1800

/** The spec's fixed limits (spec, Limits). The first two count every call; endpoints name the others they count in. */
export const RATE_LIMITS = {
  account: { name: 'account', most: 300, windowSeconds: FIVE_MINUTES, by: 'account' },
  address: { name: 'address', most: 300, windowSeconds: FIVE_MINUTES, by: 'address' },
  media: { name: 'media', most: 30, windowSeconds: HALF_HOUR, by: 'account' },
  deletions: { name: 'deletions', most: 30, windowSeconds: HALF_HOUR, by: 'account' },
  registrations: { name: 'registrations', most: 5, windowSeconds: HALF_HOUR, by: 'address' },
} as const satisfies Record<string, RateLimit>

/** A limit that only the endpoints that name it count in. */
export type LimitGroup = Exclude<keyof typeof RATE_LIMITS, 'account' | 'address'>

/** Where a call stands with the limit it is closest to. */
export type Standing = { limit: number; remaining: number; resetsAt: number; isExceeded: boolean }

/** Who is counted for an address: an IPv6 network of 64 bits is one (beyond-the-spec 1.5). */
export const countedAddress = (address: string): string => {
  if (!isIPv6(address)) return address
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  return `${parsed.toByteArray().slice(0, 8).join('.')}/64`
}

const limitsOf = ({ groups, accountId }: Counted): RateLimit[] => {
  const all = [RATE_LIMITS.address, RATE_LIMITS.account, ...groups.map((group) => RATE_LIMITS[group])]
  return accountId ? all : all.filter(({ by }) => by === 'address')
}

const isCloser = (one: Standing, other: Standing) =>
  one.isExceeded === other.isExceeded ? one.remaining < other.remaining : one.isExceeded

/** Who makes a call, and what it counts in besides the limits of every call. `accountId` is empty for whoever has none. */
export type Counted = { groups: readonly LimitGroup[]; accountId: string; address: string }

/** Counts a call in every limit it falls under, with one trip to the counter, and answers with the standing closest to exhaustion. */
export const countCall = async (given: { rates: RateCounter; now: number }, call: Counted): Promise<Standing> => {
  const limits = limitsOf(call)
  const address = countedAddress(call.address)
  const counts = await given.rates.hit(
    limits.map(({ name, by, windowSeconds }) => ({ key: `${name}:${by === 'account' ? call.accountId : address}`, windowSeconds })),
  )
  const standings = limits.map(({ most, windowSeconds }, index): Standing => {
    const count = counts[index] ?? 0
    const window = windowSeconds * 1000
    const resetsAt = (Math.floor(given.now / window) + 1) * window
    return { limit: most, remaining: Math.max(0, most - count), resetsAt, isExceeded: count > most }
  })
  return standings.reduce((closest, each) => (isCloser(each, closest) ? each : closest))
}

/** The headers of a standing; the reset as ISO 8601 with microseconds (beyond-the-spec 1.5). */
export const rateHeaders = ({ limit, remaining, resetsAt }: Standing): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': new Date(resetsAt).toISOString().replace('Z', '000Z'),
})
