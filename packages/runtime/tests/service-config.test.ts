import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readServiceConfig, requireCredentials } from '../src/service/config.ts'

const read = (environment: Record<string, string>) => readServiceConfig({ name: 'auth', hasDatabase: false, calls: [] }, environment)
const KEY = 'a'.repeat(32)
const FILE = fileURLToPath(import.meta.url)

test('the key of the services may be followed by older ones, and each is long enough', () => {
  expect(read({ RPC_KEY: `${KEY},${'b'.repeat(40)}` }).credentials.keys).toEqual([KEY, 'b'.repeat(40)])
  expect(read({}).credentials).toEqual({ keys: [], certificates: undefined })
  for (const short of ['short', `${KEY},short`]) {
    expect(() => read({ RPC_KEY: short })).toThrow('RPC_KEY must have 32 characters at least')
    expect(() => read({ RPC_KEY: short })).not.toThrow('short')
  }
})

test('certificates are three files that exist, or none', () => {
  const files = { RPC_CA: FILE, RPC_CERTIFICATE: FILE, RPC_CERTIFICATE_KEY: FILE }
  expect(read(files).credentials.certificates).toEqual({ authority: FILE, certificate: FILE, key: FILE })
  expect(() => read({ RPC_CA: FILE })).toThrow('are set together')
  expect(() => read({ ...files, RPC_CERTIFICATE: '/missing.pem' })).toThrow('/missing.pem does not exist')
})

test('where other machines reach the calls, there is a key or there are certificates', () => {
  const files = { RPC_CA: FILE, RPC_CERTIFICATE: FILE, RPC_CERTIFICATE_KEY: FILE }
  expect(() => requireCredentials(read({ HOST: '0.0.0.0' }))).toThrow('RPC_KEY is missing')
  for (const environment of [{}, { HOST: '::1' }, { HOST: '0.0.0.0', RPC_KEY: KEY }, { HOST: '::', ...files }])
    requireCredentials(read(environment))
})

const SCRAM = { KAFKA_TLS: 'on', KAFKA_SASL: 'scram-sha-512', KAFKA_USERNAME: 'rookery', KAFKA_PASSWORD: 'hidden' }

test('stores may be spoken to over TLS, and given a password', () => {
  const files = { KAFKA_CA: FILE, KAFKA_CERTIFICATE: FILE, KAFKA_CERTIFICATE_KEY: FILE }
  const { kafka, redis } = read({ ...SCRAM, ...files, REDIS_URL: 'rediss://rookery:hidden@redis:6379', REDIS_CA: FILE })
  expect(kafka).toMatchObject({ tls: { authority: FILE, certificate: FILE, key: FILE }, sasl: { mechanism: 'scram-sha-512' } })
  expect(redis.tls).toEqual({ authority: FILE, certificate: undefined, key: undefined })
  expect(JSON.stringify([kafka, redis])).not.toContain('hidden')
  expect(read({}).kafka).toMatchObject({ brokers: ['127.0.0.1:9092'], tls: undefined, sasl: undefined })
})

test.each<[string, Record<string, string>, string]>([
  ['a password without a mechanism', { KAFKA_USERNAME: 'rookery', KAFKA_PASSWORD: 'hidden' }, 'KAFKA_SASL is missing'],
  ['a way without a password', { KAFKA_SASL: 'plain', KAFKA_TLS: 'on' }, 'KAFKA_USERNAME and KAFKA_PASSWORD are missing'],
  ['a plain password in the open', { ...SCRAM, KAFKA_SASL: 'plain', KAFKA_TLS: 'off' }, 'set KAFKA_TLS=on'],
  ['a mechanism that is none', { ...SCRAM, KAFKA_SASL: 'md5' }, 'KAFKA_SASL must be one of'],
  ['an authority without TLS', { KAFKA_CA: FILE }, 'are for TLS: set KAFKA_TLS=on'],
  ['an authority for an open Redis', { REDIS_CA: FILE }, 'begin REDIS_URL with rediss://'],
  ['a certificate without its key', { KAFKA_TLS: 'on', KAFKA_CERTIFICATE: FILE }, 'are set together'],
  ['a file that is not there', { KAFKA_TLS: 'on', KAFKA_CA: '/missing.pem' }, '/missing.pem does not exist'],
  ['a Redis that is none', { REDIS_URL: 'https://hidden@redis' }, 'REDIS_URL must begin with redis:// or rediss://'],
])('of stores it refuses %s, and names no secret', (_, environment, why) => {
  expect(() => read(environment)).toThrow(why)
  expect(() => read(environment)).not.toThrow('hidden')
})
