import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readServiceConfig, refuseStrangers } from '../src/service/config.ts'

const read = (environment: Record<string, string>) => readServiceConfig({ name: 'auth', hasDatabase: false, calls: [] }, environment)
const KEY = 'a'.repeat(32)
const FILE = fileURLToPath(import.meta.url)

test('the key of the services may be followed by older ones, and each is long enough', () => {
  expect(read({ RPC_KEY: `${KEY},${'b'.repeat(40)}` }).trust.keys).toEqual([KEY, 'b'.repeat(40)])
  expect(read({}).trust).toEqual({ keys: [], certificates: undefined })
  for (const short of ['short', `${KEY},short`]) {
    expect(() => read({ RPC_KEY: short })).toThrow('RPC_KEY must have 32 characters at least')
    expect(() => read({ RPC_KEY: short })).not.toThrow('short')
  }
})

test('certificates are three files that exist, or none', () => {
  const files = { RPC_CA: FILE, RPC_CERTIFICATE: FILE, RPC_CERTIFICATE_KEY: FILE }
  expect(read(files).trust.certificates).toEqual({ authority: FILE, certificate: FILE, key: FILE })
  expect(() => read({ RPC_CA: FILE })).toThrow('are set together')
  expect(() => read({ ...files, RPC_CERTIFICATE: '/missing.pem' })).toThrow('/missing.pem does not exist')
})

test('where other machines reach the calls, there is a key or there are certificates', () => {
  const files = { RPC_CA: FILE, RPC_CERTIFICATE: FILE, RPC_CERTIFICATE_KEY: FILE }
  expect(() => refuseStrangers(read({ HOST: '0.0.0.0' }))).toThrow('RPC_KEY is missing')
  for (const environment of [{}, { HOST: '::1' }, { HOST: '0.0.0.0', RPC_KEY: KEY }, { HOST: '::', ...files }])
    refuseStrangers(read(environment))
})
