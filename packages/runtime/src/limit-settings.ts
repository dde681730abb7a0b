import { checkTrustedProxies } from '@rookery/http'
import { choice, list, type Setting } from './environment.ts'

/** Addresses, networks or names of networks, for trusted proxies. */
const networks = (given: Parameters<typeof list>[0]): Setting<string[]> => ({
  ...list(given),
  kind: 'addresses, networks, loopback, linklocal or uniquelocal, separated by commas',
  parse(value) {
    const names = list(given).parse(value)
    try {
      checkTrustedProxies(names)
    } catch {
      throw new Error('must be addresses or networks')
    }
    return names
  },
})

/** The settings of rate limits, for every service with a public side. */
export const limitSettings = {
  RATE_LIMITS: choice(['on', 'off'], {
    describe: 'Rate limits of requests and sign-in attempts; off is for tests and benchmarks.',
    default: 'on',
  }),
  TRUSTED_PROXIES: networks({ describe: 'Addresses or networks of trusted reverse proxies, whose X-Forwarded-For is used.', default: '' }),
}

/** The configuration of rate limits. */
export type LimitConfig = {
  readonly hasRateLimits: boolean
  readonly trustedProxies: readonly string[]
}

/** The configuration from the values of the settings. */
export const limitConfig = (values: { RATE_LIMITS: 'on' | 'off'; TRUSTED_PROXIES: string[] }): LimitConfig => ({
  hasRateLimits: values.RATE_LIMITS === 'on',
  trustedProxies: values.TRUSTED_PROXIES,
})
