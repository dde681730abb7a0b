import { ConfigurationError } from '@rookery/runtime'
import { describe, expect, it } from 'vitest'
import { readAuthConfig } from './config.ts'

const faults = (environment: Record<string, string>) => {
  try {
    readAuthConfig(environment)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message.match(/^ {2}(\w+)/gm)?.map((line) => line.trim())
  }
  return []
}

describe('settings', () => {
  it('are open and automatic on a loopback base URL', () => {
    expect(readAuthConfig({})).toMatchObject({
      baseUrl: 'http://localhost:3000',
      registrations: 'open',
      confirmation: 'automatic',
      mailFrom: 'no-reply@localhost',
      trustedProxies: [],
      blockedEmailDomains: [],
      hasRateLimits: true,
    })
  })

  it('must be decided on a public one, all faults reported at once', () => {
    expect(faults({ BASE_URL: 'https://rookery.example' })).toEqual(['REGISTRATIONS', 'CONFIRMATION'])
    expect(faults({ BASE_URL: 'https://rookery.example', REGISTRATIONS: 'approval', CONFIRMATION: 'automatic' })).toEqual([])
  })

  it('need a mail server when addresses are confirmed by mail, on loopback too', () => {
    expect(faults({ CONFIRMATION: 'mail' })).toEqual(['SMTP_URL'])
    expect(faults({ CONFIRMATION: 'mail', SMTP_URL: 'smtp://localhost' })).toEqual([])
  })

  it('never show the mail password', () => {
    expect(JSON.stringify(readAuthConfig({ SMTP_URL: 'smtp://user:secret@localhost' }))).not.toContain('secret')
  })
})
