import type { AdminAccount } from './entities.ts'

/** A mail domain or a network that several sign-ups came from, and how many of those on the page. */
export type Origin = { kind: 'email_domain' | 'ip'; value: string; count: number }

/** The network of an address: /24 for IPv4, /64 for IPv6. Undefined if it is not an address. */
export const networkOf = (address: string): string | undefined => {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`
  const groups = address.toLowerCase().split('::')
  if (!address.includes(':') || address.includes('.') || groups.length > 2) return undefined
  const [before = [], after = []] = groups.map((part) => part.split(':').filter(Boolean))
  const missing = groups.length === 2 ? Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0') : []
  const whole = [...before, ...missing, ...after]
  return whole.length === 8 ? `${whole.slice(0, 4).join(':')}::/64` : undefined
}

const domainOf = (email: string) => email.split('@').at(-1)?.toLowerCase()

/** The origins of more than one of these sign-ups, the most frequent first. */
export const originsOf = (accounts: readonly Pick<AdminAccount, 'email' | 'ip'>[]): Origin[] => {
  const counts = new Map<string, Origin>()
  const note = (kind: Origin['kind'], value: string | undefined) => {
    if (!value) return
    const known = counts.get(`${kind} ${value}`)
    counts.set(`${kind} ${value}`, { kind, value, count: (known?.count ?? 0) + 1 })
  }
  for (const { email, ip } of accounts) {
    note('email_domain', domainOf(email))
    note('ip', ip ? networkOf(ip) : undefined)
  }
  return [...counts.values()]
    .filter(({ count }) => count > 1)
    .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
}
