import { ConfigurationError } from '@rookery/runtime'
import { expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'

const faultsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults
    throw error
  }
  return []
}

test('all faults of settings are named at once, a sentence for each setting', () => {
  const faults = faultsOf({
    BASE_URL: 'https://birds.example',
    DATABASE_URL: 'nonsense',
    PORT: 'tea',
    CONFIRMATION: 'mail',
    MEDIA_STORAGE: 'bucket',
    MEDIA_BUCKET_ENDPOINT: 'nowhere',
    TRANSLATION_PROVIDER: 'deepl',
    TRENDS_MIN_ACCOUNTS: '1',
  })
  expect(faults.map((fault) => fault.split(': ')[0])).toEqual([
    'PORT must be a port number',
    'DATABASE_URL must be postgres://ROLE:PASSWORD@HOST/DATABASE',
    'MEDIA_BUCKET_ENDPOINT must be an absolute URL',
    'MEDIA_BUCKET is missing',
    'MEDIA_BUCKET_KEY_ID is missing',
    'MEDIA_BUCKET_KEY is missing',
    'TRANSLATION_KEY is missing',
    'TRENDS_MIN_ACCOUNTS must be at least 2',
    'REGISTRATIONS is missing',
    'SMTP_URL is missing',
  ])
})

test('a setting that all services read is named once', () => {
  expect(faultsOf({ BASE_URL: 'birds.example' })).toEqual([
    'BASE_URL must be an absolute URL: Public base URL of the server; http://localhost:PORT when not set.',
  ])
})
