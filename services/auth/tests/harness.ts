import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppsDefinition, LoginOperatorDefinition, RegistrationsDefinition, TokensDefinition } from '@rookery/contracts/auth'
import { Envelope, LiveMessage } from '@rookery/contracts/events'
import { ResolverDefinition } from '@rookery/contracts/federation'
import { openDatabase } from '@rookery/database'
import { memoryEphemeral } from '@rookery/ephemeral'
import { createOutbox, type DomainEvent } from '@rookery/events'
import { snowflakes } from '@rookery/ids'
import { startWorker } from '@rookery/jobs'
import { type Definition, type Handler, link } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'
import { createLogger, type Secret } from '@rookery/runtime'
import { startTestPostgres } from '@rookery/test-stores'
import { Browser } from '@rookery/test-world/outside'
import { migrateServices } from '@rookery/test-world/schemas'
import pg from 'pg'
import { type AuthConfig, type AuthTables, createAuth, type MailResolver, schema } from '../src/module.ts'
import { alone } from './beside.ts'
import { openAccounts, statusesSchema } from './statuses.ts'

export const call = () => callWithin(30)

export type HarnessOptions = {
  /** The name of the machine in the base URL, where 127.0.0.1 will not do. */
  hostname?: 'localhost'
  config?: Partial<AuthConfig & { smtpUrl: Secret }>
  resolver?: MailResolver
  /** Whether hashing a password costs what it costs in earnest. */
  hashesInEarnest?: boolean
}

/** People sign up and in by the hundred: as recommended, a hash takes 30 ms. */
const CHEAP = { memory: 64, passes: 1, parallelism: 1 }

/** A login to act with. */
export type Person = { id: string; username: string; email: string; password: string; accessToken: string }

/** What a client has of its app. */
export type ClientApp = { id: string; client_id: string; client_secret: string }

const linkTo = <D extends Definition>(handlers: readonly Handler[], definition: D) => {
  const served = handlers.find((each) => each.definition.fullName === definition.fullName)
  if (!served) throw new Error(`${definition.fullName} is not served`)
  return link(definition, served, { wire: true })
}

/** Listens before the module is there, because the module must know the address. */
const listen = async () => {
  let answer: ReturnType<typeof createAuth>['http']
  const server = createServer((request, response) => {
    answer?.(request, response)
    server.emit('arrived')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve: (listener: typeof answer) => {
      answer = listener
    },
    arrival: () => once(server, 'arrived'),
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

/** Auth on a real database, behind a real HTTP server, beside statuses on the same database, with a clock that tests move. */
export const openHarness = async (options: HarnessOptions = {}) => {
  const postgres = startTestPostgres()
  const own = await postgres.createDatabase(
    await postgres.templateDatabase('auth beside statuses', (built) => migrateServices(built, [schema, statusesSchema])),
  )
  const statements: string[] = []
  const database = openDatabase<AuthTables>({ url: own.url(schema.name), onStatement: (text) => statements.push(text) })
  const administrator = new pg.Client({ connectionString: own.url('postgres') })
  administrator.on('error', () => {})
  await administrator.connect()
  let ahead = 0
  const clock = { now: () => Date.now() + ahead }
  const ephemeral = memoryEphemeral(clock.now)
  const rows = async (text: string) => (await administrator.query(text)).rows
  const statuses = openAccounts({ url: own.url(statusesSchema.name), clock, rows })
  const http = await listen()
  const config: AuthConfig = {
    baseUrl: options.hostname ? http.origin.replace('127.0.0.1', options.hostname) : http.origin,
    registrations: 'open',
    confirmation: 'automatic',
    inviters: 'everyone',
    smtpUrl: undefined,
    mailFrom: 'no-reply@rookery.example',
    trustedProxies: [],
    blockedEmailDomains: [],
    cookieKeys: [],
    encryptionKeys: [],
    requireSecondFactor: 'none',
    hasRateLimits: true,
    ...options.config,
  }
  const logged: string[] = []
  const log = createLogger({ name: 'auth', level: 'silent' })
  log.error = ((given: { err?: Error }) => logged.push(String(given.err?.stack ?? given))) as typeof log.error
  const given = {
    database,
    outbox: createOutbox({ topic: 'auth.v1', now: clock.now, wake: () => {} }),
    live: ephemeral.live,
    rates: ephemeral.rates,
    invalidations: ephemeral.invalidations,
    statuses: statuses.clients,
    federation: { resolver: link(ResolverDefinition, alone, { wire: true }) },
    clock,
    ids: snowflakes(clock.now),
    log,
    config,
    ...(options.resolver ? { resolver: options.resolver } : {}),
    ...(options.hashesInEarnest ? {} : { passwordCost: CHEAP }),
  }
  const build = (changed: Partial<AuthConfig> = {}) => createAuth({ ...given, config: { ...config, ...changed } })
  let module = build()
  http.serve(module.http)

  const live: NonNullable<LiveMessage['event']>[] = []
  await ephemeral.live.subscribe({
    read({ message }) {
      const { event } = LiveMessage.decode(message)
      if (event) live.push(event)
    },
  })

  const apps = linkTo(module.rpc, AppsDefinition)
  const operator = linkTo(module.operator ?? [], LoginOperatorDefinition)
  const request = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${http.origin}${path}`, { redirect: 'manual', ...init })
    const text = await response.text()
    const isJson = text !== '' && response.headers.get('content-type')?.includes('json')
    const json = isJson ? JSON.parse(text) : undefined
    return { status: response.status, headers: response.headers, text, json }
  }

  return {
    config,
    origin: http.origin,
    database,
    statements,
    statuses,
    live,
    invalidations: ephemeral.invalidations,
    /** Errors that were our own fault. */
    logged,
    clock,
    tokens: linkTo(module.rpc, TokensDefinition),
    apps,
    registrations: linkTo(module.rpc, RegistrationsDefinition),
    operator,
    request,
    /** Posts a form to an endpoint for programs. */
    post: (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
      request(path, { method: 'POST', headers, body: new URLSearchParams(form) }),
    /** Moves the clock forward. */
    pass: (milliseconds: number) => {
      ahead += milliseconds
    },
    browser: (headers: Record<string, string> = {}) => new Browser({ base: config.baseUrl, server: http.origin, headers }),
    /** Moves the clock to the start of a half hour, where every window of the limits begins. */
    toNewWindow: () => {
      ahead += 1_800_000 - (clock.now() % 1_800_000)
    },
    /** Ends the module as a process that stops does. */
    end: () => module.close?.(),
    /** The module made again on the same database, as after a restart, maybe with other settings. */
    restart: (changed?: Partial<AuthConfig>) => {
      module = build(changed)
      http.serve(module.http)
    },
    /** Rows of any table, as the administrator reads them. */
    rows,
    /** Changes rows as no act does. */
    write: async (text: string, values: unknown[]) => void (await administrator.query(text, values)),
    /** Resolves when the next request has reached the module. */
    arrival: http.arrival,
    /** The events in the outbox, in order. */
    events: async (): Promise<DomainEvent[]> => {
      const { rows } = await administrator.query('select envelope from auth.outbox order by id')
      return rows.flatMap((row) => Envelope.decode(row.envelope).fact ?? [])
    },
    /** Runs the jobs there are, those for later too. */
    runJobs: async () => {
      await administrator.query('update auth_jobs._private_jobs set run_at = now()')
      const worker = await startWorker({ url: own.url(schema.name), service: schema.name, jobs: module.jobs, isRunning: false })
      await worker.runDue()
      // It resolves before the last job is marked as done, which would meet a database that is gone.
      const locked = async () => (await administrator.query('select 1 from auth_jobs._private_jobs where locked_at is not null')).rowCount
      while (await locked());
      await worker.close()
    },
    /** Runs one job that is due by the clock. */
    runJob: async (name: string) => {
      await module.jobs.find((job) => job.name === name)?.run({})
    },
    async registerApp(redirectUris = 'elk://x', scopes = 'read write follow push'): Promise<ClientApp> {
      const app = await apps.register(call(), { name: 'Elk', redirectUris: [redirectUris], scopes, website: 'https://elk.example' })
      return { id: app.id, client_id: app.clientId, client_secret: app.clientSecret }
    },
    async person(username: string, more: { confirmed?: boolean } = {}): Promise<Person> {
      const email = `${username}@example.com`
      const password = `${username} knows`
      const made = await operator.createAccount(call(), {
        username,
        email,
        password,
        confirmed: more.confirmed ?? true,
        tokenScopes: 'read',
      })
      return { id: made.login?.accountId ?? '', username, email, password, accessToken: made.accessToken }
    },
    async close() {
      await module.close?.()
      await http.close()
      await ephemeral.close()
      await statuses.close()
      await database.close()
      // Connections that are closing must be gone: one cut off by the drop would fail with no one to hear it.
      const others = async () =>
        (await administrator.query('select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'))
          .rowCount
      while (await others());
      await administrator.end()
      await own.drop()
    },
  }
}

export type Harness = Awaited<ReturnType<typeof openHarness>>

/** Goes from an app's request through sign-in and approval; returns what the browser saw last. */
export const authorize = async (
  browser: Browser,
  query: Record<string, string>,
  person: { email: string; password: string },
  answer = 'allow',
) => {
  let page = await browser.visit(`/oauth/authorize?${new URLSearchParams({ response_type: 'code', ...query })}`)
  if (page.text.includes('name="password"')) page = await browser.submit(page, { email: person.email, password: person.password })
  return browser.submit(page, { answer })
}

/** The code in the address an app was sent back to, or on the page that shows it. */
export const codeOf = (answer: { location: string | undefined; text: string }): string => {
  const code = answer.location ? new URL(answer.location).searchParams.get('code') : /id="code"[^>]*value="([^"]+)"/.exec(answer.text)?.[1]
  if (!code) throw new Error(`no code: ${answer.location} ${answer.text}`)
  return code
}
