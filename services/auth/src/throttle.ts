import { createHash } from 'node:crypto'
import type { RateCounter } from '@rookery/ephemeral'
import ipaddr from 'ipaddr.js'

/** How often something may happen within a window. */
export type Limit = { name: string; most: number; windowSeconds: number }

/** One thing counted: who or what it is counted by is kept as a digest, so that the store learns no e-mail address. */
export type Counted = { limit: Limit; subject: string }

/** Counts once more; answers with the seconds until the window ends when a limit is exceeded, else undefined. */
export type Throttle = (counted: readonly Counted[]) => Promise<number | undefined>

const keyOf = ({ limit, subject }: Counted) => `auth.${limit.name}:${createHash('sha256').update(subject).digest('base64url')}`

/** Limits kept in the rate counter's fixed windows. Switched off, it lets everything pass. */
export const createThrottle = (given: { rates: RateCounter; now: () => number; isOn: boolean }): Throttle => {
  if (!given.isOn) return async () => undefined
  return async (counted) => {
    const counts = await given.rates.hit(counted.map((each) => ({ key: keyOf(each), windowSeconds: each.limit.windowSeconds })))
    const exceeded = counted.filter((each, index) => (counts[index] ?? 0) > each.limit.most)
    if (exceeded.length === 0) return undefined
    const seconds = given.now() / 1000
    return Math.max(...exceeded.map(({ limit }) => Math.ceil(limit.windowSeconds - (seconds % limit.windowSeconds))))
  }
}

/** The part of an address that one subscriber holds: all of an IPv4 address, the first 64 bits of IPv6 (beyond-the-spec 1.5). */
export const subscriberOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return parsed.toByteArray().slice(0, 8).join('.')
}
