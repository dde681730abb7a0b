import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import {
  ConfigurationError,
  choice,
  count,
  databaseUrl,
  list,
  listOf,
  optional,
  origin,
  port,
  readEnvironment,
  readTogether,
  Secret,
  secret,
  shaped,
  text,
  url,
} from '../src/index.ts'

const settings = {
  BASE_URL: origin({ describe: 'Where the public finds the server.' }),
  DATABASE_URL: secret(url({ describe: 'The database.' })),
  PORT: port({ describe: 'Where it listens.', default: '3000' }),
  CONNECTIONS: count({ describe: 'How many.', default: '8' }),
  REGISTRATIONS: choice(['open', 'closed'], { describe: 'Who may sign up.', default: 'open' }),
  PROXIES: list({ describe: 'Trusted proxies.', default: '' }),
  SMTP_URL: optional(url({ describe: 'Where mail goes.' })),
  COLOR: shaped(/^#[0-9a-f]{6}$/, 'a color as #rrggbb', { describe: 'Its color.', default: '#3a4fc4' }),
  LANGUAGES: listOf(/^[a-z]{2}$/, 'codes of two letters', { describe: 'What it speaks.', default: 'en' }),
  NAME: text({ describe: 'What it is called.', default: 'Rookery' }),
}
const enough = { BASE_URL: 'https://rookery.example', DATABASE_URL: 'postgres://role:hunter2@host/rookery' }

const faultsOf = (environment: Record<string, string>) => {
  try {
    readEnvironment(settings, environment)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return (error as Error).message
  }
  return ''
}

describe('settings from the environment', () => {
  test('of one shape are taken in it, and refused in another by what they must be', () => {
    expect(readEnvironment(settings, { ...enough, COLOR: '#00ff00', LANGUAGES: 'de, fr' })).toMatchObject({
      COLOR: '#00ff00',
      LANGUAGES: ['de', 'fr'],
    })
    const faults = faultsOf({ ...enough, COLOR: 'red', LANGUAGES: 'de,deutsch' })
    expect(faults).toContain('COLOR must be a color as #rrggbb')
    expect(faults).toContain('LANGUAGES must be codes of two letters')
  })

  test('have their defaults, and are parsed', () => {
    const values = readEnvironment(settings, { ...enough, PORT: '8080', PROXIES: ' 10.0.0.1, 10.0.0.2 ,', SMTP_URL: '' })
    expect(values).toMatchObject({
      BASE_URL: 'https://rookery.example',
      PORT: 8080,
      CONNECTIONS: 8,
      REGISTRATIONS: 'open',
      NAME: 'Rookery',
    })
    expect(values.PROXIES).toEqual(['10.0.0.1', '10.0.0.2'])
    expect(values.SMTP_URL).toBeUndefined()
    expect(values.DATABASE_URL.reveal()).toBe(enough.DATABASE_URL)
  })

  test('are refused all at once, each with what a person must know', () => {
    const message = faultsOf({ DATABASE_URL: 'hunter2', PORT: '99999', CONNECTIONS: '-1', REGISTRATIONS: 'perhaps', SMTP_URL: 'mail' })
    for (const name of [
      'BASE_URL is missing',
      'DATABASE_URL must',
      'PORT must',
      'CONNECTIONS must',
      'REGISTRATIONS must be one of open, closed',
    ]) {
      expect(message).toContain(name)
    }
    expect(message).toContain('SMTP_URL must be an absolute URL: Where mail goes.')
    expect(message).not.toContain('hunter2')
  })

  test.each(['rookery.example', 'ftp://rookery.example', 'https://rookery.example/path', 'https://rookery.example/?a'])(
    '%s is no origin',
    (value) => {
      expect(faultsOf({ ...enough, BASE_URL: value })).toContain('BASE_URL must')
    },
  )

  test('a secret never prints', () => {
    const hidden = new Secret('hunter2')
    const { DATABASE_URL } = readEnvironment(settings, enough)
    for (const each of [hidden, DATABASE_URL]) {
      const printed = [`${each}`, JSON.stringify({ each }), inspect(each, { depth: 9, showHidden: true }), inspect({ each })].join(' ')
      expect(printed).not.toContain('hunter2')
    }
    expect(JSON.stringify({ hidden })).toBe('{"hidden":"***"}')
  })
})

describe('settings that need each other', () => {
  const needy = {
    PROVIDER: choice(['off', 'on'], { describe: 'Who.', default: 'off' }),
    KEY: optional(text({ describe: 'Key.' })),
    PORT: port({ describe: 'Port.' }),
  }
  const between = ({ PROVIDER, KEY }: { PROVIDER?: string; KEY?: string | undefined }) =>
    PROVIDER === 'on' && !KEY ? ['KEY is missing: on needs one', 'PORT is strange'] : []
  const faultsWith = (environment: Record<string, string>) => {
    try {
      readEnvironment(needy, environment, between)
    } catch (error) {
      return (error as ConfigurationError).faults
    }
  }

  test('are refused together with all others, a setting once', () => {
    expect(faultsWith({ PROVIDER: 'on', PORT: 'tea' })).toEqual(['PORT must be a port number: Port.', 'KEY is missing: on needs one'])
    expect(faultsWith({ PROVIDER: 'maybe', PORT: 'tea' })).toHaveLength(2)
  })

  test('are named once where several modules read them', () => {
    const readers = {
      one: (environment: Record<string, string | undefined>) => readEnvironment({ URL: url({ describe: 'Where.' }) }, environment),
      two: (environment: Record<string, string | undefined>) => readEnvironment({ URL: url({ describe: 'Where it is.' }) }, environment),
    }
    expect(() => readTogether(readers, {})).toThrow(/^The environment cannot be used:\n {2}URL is missing: Where\.$/)
  })
})

test.each(['nonsense', 'mysql://host/x', 'postgres://', 'postgres://role:hunter2@'])('%s is no database, and is not printed', (value) => {
  const read = () => readEnvironment({ URL: databaseUrl({ describe: 'The database.' }) }, { URL: value })
  expect(read).toThrow('URL must be postgres://ROLE:PASSWORD@HOST/DATABASE')
  expect(read).not.toThrow('hunter2')
})

test.each([
  'postgres://role:hunter2@host/rookery',
  'postgres://role:hunter2@%2Frun%2Fpostgresql/rookery',
  'postgresql:///rookery?host=/run/postgresql',
])('%s is a database', (value) => {
  const { URL: read } = readEnvironment({ URL: databaseUrl({ describe: 'The database.' }) }, { URL: value })
  expect(read.reveal()).toBe(value)
})
