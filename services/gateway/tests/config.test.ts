import { describe, expect, test } from 'vitest'
import { readGatewayConfig } from '../src/module.ts'

const read = (environment: Record<string, string>) => readGatewayConfig({ BASE_URL: 'https://rookery.example', ...environment })

describe('the settings', () => {
  test('have defaults for all but the address', () => {
    expect(read({})).toMatchObject({
      baseUrl: 'https://rookery.example',
      streamingUrl: 'wss://rookery.example',
      hasRateLimits: true,
      trustedProxies: [],
      softwareName: 'rookery',
      sourceUrl: 'https://rookery.example',
      remembersTokens: true,
    })
    expect(() => readGatewayConfig({})).toThrow(/BASE_URL is missing/)
  })

  test('let auth be asked for each request', () => {
    expect(read({ TOKEN_MEMORY: 'off' }).remembersTokens).toBe(false)
    expect(() => read({ TOKEN_MEMORY: '0' })).toThrow(/TOKEN_MEMORY must be one of on, off/)
  })

  test('name proxies by address, network or kind of network', () => {
    const named = '10.0.0.0/8, 2001:db8::/32, 192.0.2.1, loopback'
    expect(read({ TRUSTED_PROXIES: named }).trustedProxies).toEqual(['10.0.0.0/8', '2001:db8::/32', '192.0.2.1', 'loopback'])
  })

  test.each(['tea', '10.0.0.0/99', '10.0.0.0/8,300.1.1.1'])('say which of them is wrong: %s', (TRUSTED_PROXIES) => {
    expect(() => read({ TRUSTED_PROXIES, RATE_LIMITS: 'some' })).toThrow(
      /RATE_LIMITS must be.*\n.*TRUSTED_PROXIES must be addresses or networks/s,
    )
  })
})
