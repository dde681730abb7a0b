/** A secret value, which is never printed: not in logs, errors or JSON. */
export class Secret {
  readonly #value: string
  constructor(value: string) {
    this.#value = value
  }
  reveal(): string {
    return this.#value
  }
  toString(): string {
    return '***'
  }
  toJSON(): string {
    return '***'
  }
}

/** A setting: its parser, and its documentation. */
export type Setting<Value> = {
  readonly describe: string
  readonly kind: string
  readonly fallback: string | undefined
  readonly isOptional: boolean
  parse(text: string): Value
}

type Described = { describe: string; default?: string }
type Settings = Record<string, Setting<unknown>>
type ValuesOf<S extends Settings> = { [Name in keyof S]: S[Name] extends Setting<infer Value> ? Value : never }

const setting = <Value>(kind: string, { describe, default: fallback }: Described, parse: (text: string) => Value): Setting<Value> => ({
  describe,
  kind,
  fallback,
  isOptional: false,
  parse,
})

/** Any text. */
export const text = (given: Described): Setting<string> => setting('text', given, (value) => value)

/** A text that matches a pattern; `what` describes the pattern. */
export const shaped = (shape: RegExp, what: string, given: Described): Setting<string> =>
  setting('text', given, (value) => {
    if (!shape.test(value)) throw new Error(`must be ${what}`)
    return value
  })

/** A TCP port, 0 for any free one. */
export const port = (given: Described): Setting<number> =>
  setting('port', given, (value) => {
    const number = Number(value)
    if (!Number.isInteger(number) || number < 0 || number > 65_535) throw new Error('must be a port number')
    return number
  })

/** A non-negative integer. */
export const count = (given: Described): Setting<number> =>
  setting('number', given, (value) => {
    if (!/^\d+$/.test(value)) throw new Error('must be a whole number')
    return Number(value)
  })

/** A fraction, from 0 to 1. */
export const share = (given: Described): Setting<number> =>
  setting('number from 0 to 1', given, (value) => {
    const number = Number(value)
    if (!(number >= 0 && number <= 1)) throw new Error('must be a number from 0 to 1')
    return number
  })

/** An absolute URL. */
export const url = (given: Described): Setting<string> =>
  setting('URL', given, (value) => {
    if (!URL.canParse(value)) throw new Error('must be an absolute URL')
    return value
  })

/** The URL of a database, secret because it has the role's password. The host may be the folder of a socket, as ?host=. */
export const databaseUrl = (given: Described): Setting<Secret> =>
  secret(
    setting('text', given, (value) => {
      const { protocol = '', hostname = '', searchParams } = URL.parse(value) ?? {}
      const host = hostname || searchParams?.get('host')
      if (!/^postgres(ql)?:$/.test(protocol) || !host) throw new Error('must be postgres://ROLE:PASSWORD@HOST/DATABASE')
      return value
    }),
  )

/** The public origin of the server: scheme and host, no path. */
export const origin = (given: Described): Setting<string> =>
  setting('URL without a path', given, (value) => {
    if (!URL.canParse(value)) throw new Error('must be an absolute URL')
    const parsed = new URL(value)
    if (!/^https?:$/.test(parsed.protocol) || (parsed.pathname !== '/' && parsed.pathname !== '') || parsed.search) {
      throw new Error('must be http(s)://host with no path')
    }
    return parsed.origin
  })

/** One of a few values. */
export const choice = <const Words extends readonly string[]>(words: Words, given: Described): Setting<Words[number]> =>
  setting(words.join(', '), given, (value) => {
    if (!words.includes(value)) throw new Error(`must be one of ${words.join(', ')}`)
    return value
  })

/** Values separated by commas. */
export const list = (given: Described): Setting<string[]> =>
  setting('list, separated by commas', given, (value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )

/** Values that match a pattern, separated by commas. */
export const listOf = (shape: RegExp, what: string, given: Described): Setting<string[]> => ({
  ...list(given),
  parse(value) {
    const all = list(given).parse(value)
    if (!all.every((each) => shape.test(each))) throw new Error(`must be ${what}`)
    return all
  },
})

/** Marks a text as a secret. */
export const secret = (inner: Setting<string>): Setting<Secret> => ({ ...inner, parse: (value) => new Secret(inner.parse(value)) })

/** Shorter keys can be guessed. */
const MIN_KEY = 32

/** Keys, of which the first is used and all are accepted, so that they can be rotated: a new one is put in front of the old. Secret. */
export const keys = (given: { describe: string }): Setting<Secret[]> => ({
  ...list(given),
  kind: 'text; several separated by commas',
  parse(value) {
    const all = list(given).parse(value)
    if (all.length === 0 || all.some((key) => key.length < MIN_KEY)) throw new Error(`must have ${MIN_KEY} characters at least`)
    return all.map((key) => new Secret(key))
  },
})

/** Makes a setting optional. */
export const optional = <Value>(inner: Setting<Value>): Setting<Value | undefined> => ({ ...inner, isOptional: true })

/** The error with all faults of the environment. */
export class ConfigurationError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The environment cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.name = 'ConfigurationError'
    this.faults = faults
  }
}

/**
 * Checks settings against each other: returns a sentence for each fault, which begins with a setting's name. Faulty settings have no value.
 */
type Between<S extends Settings> = (values: Partial<ValuesOf<S>>) => readonly string[]

const nameIn = (fault: string) => fault.split(/[ :=]/, 1)[0]

/** The further faults, without those of settings that are already known to be faulty. */
const furtherFaults = (known: readonly string[], further: readonly string[]): string[] => {
  const names = new Set(known.map(nameIn))
  return further.filter((fault) => !names.has(nameIn(fault)))
}

/**
 * Reads settings from an environment; empty values count as missing. `between` checks them against each other.
 * @throws ConfigurationError naming every fault, never a value
 */
export const readEnvironment = <S extends Settings>(
  settings: S,
  environment: Record<string, string | undefined>,
  between: Between<S> = () => [],
): ValuesOf<S> => {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, each] of Object.entries(settings)) {
    const given = environment[name] || each.fallback
    if (given === undefined) {
      if (!each.isOptional) faults.push(`${name} is missing: ${each.describe}`)
      continue
    }
    try {
      values[name] = each.parse(given)
    } catch (error) {
      faults.push(`${name} ${(error as Error).message}: ${each.describe}`)
    }
  }
  faults.push(...furtherFaults(faults, between(values as Partial<ValuesOf<S>>)))
  if (faults.length > 0) throw new ConfigurationError(faults)
  return values as ValuesOf<S>
}

type Readers = Record<string, (environment: Record<string, string | undefined>) => unknown>

/**
 * Reads several configurations from one environment, for a process that runs several modules.
 * @throws ConfigurationError with the faults of all of them; a setting that several read is named once
 */
export const readTogether = <R extends Readers>(
  readers: R,
  environment: Record<string, string | undefined>,
): { [Name in keyof R]: ReturnType<R[Name]> } => {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(readers)) {
    try {
      values[name] = read(environment)
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error
      faults.push(...furtherFaults(faults, error.faults))
    }
  }
  if (faults.length > 0) throw new ConfigurationError(faults)
  return values as { [Name in keyof R]: ReturnType<R[Name]> }
}
