import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose, modulesConfig, type Rookery } from '@rookery/all-in-one'
import { LoginOperatorDefinition } from '@rookery/contracts/auth'
import { createLogger, type HttpServer, type Logger, type PublicSide, serveHttp, type Tracing } from '@rookery/runtime'
import type { MayConnect, Resolve } from '@rookery/ssrf-safe-fetch'
import { startTestPostgres, type TestDatabase } from '@rookery/test-stores'
import pg from 'pg'
import { type Answer, type Asking, ask } from './browser.ts'
import { innerCall, operatorClient } from './calls.ts'
import { type MovableClock, movableClock } from './clock.ts'
import { type Cost, createCosts } from './cost.ts'
import { Person } from './person.ts'

export const EVERY_SCOPE = 'read write follow push'
/** The additional scopes of a client with staff pages. */
export const STAFF_SCOPES = `${EVERY_SCOPE} admin:read admin:write`

export type WorldOptions = {
  /** Settings that override those of tests: limits off, sign-up open, addresses confirmed at once. */
  settings?: Record<string, string>
  /** Addresses of this machine that pages may be fetched from; none by default, as in production. */
  mayConnect?: MayConnect
  /** The host name of the server, with the port it listens at; the address of this machine by default. */
  host?: string
  /** Resolves the names of other servers. */
  resolve?: Resolve
  /** Tracing of requests. */
  tracing?: Tracing
  /**
   * As in production, where no other process writes. Tests that count statements or write tables themselves set it to false, so that
   * nothing is cached.
   */
  isOnlyWriter?: boolean
  /** Whether calls go through their codecs: true by default; in production answers are passed as objects. */
  isWired?: boolean
  /** The logger of the server. */
  log?: Logger
  /** Replaces the URL of the world's database by role, e.g. with a proxy's. */
  through?: (urlOf: (role: string) => string) => Promise<(role: string) => string>
}

/** The whole server, with its own database and a movable clock; people act in it through the public API. */
export class World {
  /** The URL it listens at. */
  readonly origin: string
  /** Its public URL. */
  readonly address: string
  readonly clock: MovableClock
  readonly rookery: Rookery
  readonly #server: HttpServer
  readonly #database: TestDatabase
  #closing: Promise<void> | undefined
  readonly #administrator: pg.Pool
  readonly #dataDir: string
  readonly #costs: ReturnType<typeof createCosts>

  private constructor(given: {
    origin: string
    address: string
    clock: MovableClock
    rookery: Rookery
    server: HttpServer
    database: TestDatabase
    dataDir: string
    costs: ReturnType<typeof createCosts>
  }) {
    this.origin = given.origin
    this.address = given.address
    this.clock = given.clock
    this.rookery = given.rookery
    this.#server = given.server
    this.#database = given.database
    // A test may end all sessions of its database, these included.
    this.#administrator = new pg.Pool({ connectionString: this.databaseUrl }).on('error', () => {})
    this.#dataDir = given.dataDir
    this.#costs = given.costs
  }

  /** Opens a world. Its calls go through their codecs by default, as over a wire. */
  static async open({ settings = {}, through, host, ...given }: WorldOptions = {}): Promise<World> {
    const postgres = startTestPostgres()
    const template = await postgres.templateDatabase('world', async (database) => {
      const rookery = await build({
        urlOf: database.url,
        dataDir: tmpdir(),
        clock: movableClock(),
        origin: 'http://localhost',
        settings: {},
      })
      await rookery.close()
    })
    const database = await postgres.createDatabase(template)
    const dataDir = await mkdtemp(join(tmpdir(), 'rookery-world-'))
    const clock = movableClock()
    const costs = createCosts()
    let side: Pick<PublicSide, 'http'> & Partial<PublicSide> = { http: () => {} }
    const server = await serveHttp(
      {
        http: (request, response) => side.http(request, response),
        upgrade: (request, socket, head) => side.upgrade?.(request, socket, head),
        onError: (error) => console.error(error),
        deadlines: { stop: 0 },
      },
      { host: '127.0.0.1', port: 0 },
    )
    const listening = `http://127.0.0.1:${server.port}`
    const origin = settings['BASE_URL'] ?? (host ? `http://${host}:${server.port}` : listening)
    const urlOf = through ? await through(database.url) : database.url
    const rookery = await build({ urlOf, dataDir, clock, origin, settings, costs, ...given })
    side = { http: costs.around(rookery.answer), upgrade: rookery.upgrade }
    return new World({ origin: listening, address: origin, clock, rookery, server, database, dataDir, costs })
  }

  /** Sends a request without a token. */
  asks(method: string, path: string, asking: Asking = {}): Promise<Answer> {
    return ask(this.origin, method, path, asking)
  }

  get(path: string): Promise<Answer> {
    return this.asks('GET', path)
  }

  /** Creates people by name, each with an account and a token with all scopes of a client. */
  async cast<Names extends string>(...names: Names[]): Promise<Record<Names, Person>> {
    const people = await Promise.all(names.map(async (name) => [name, await this.person(name)] as const))
    return Object.fromEntries(people) as Record<Names, Person>
  }

  /** Creates a person, perhaps with other scopes or a role. */
  async person(username: string, { scopes = EVERY_SCOPE, role = 'user' } = {}): Promise<Person> {
    const { login, accessToken } = await this.operator().createAccount(innerCall(), {
      username,
      email: `${username}@example.org`,
      password: `${username}-password`,
      role,
      confirmed: true,
      tokenScopes: scopes,
    })
    return new Person({ id: login?.accountId ?? '', username, token: accessToken, origin: this.origin })
  }

  /** The token of a new app, with all the app's scopes. */
  async appToken(scopes = EVERY_SCOPE): Promise<string> {
    const redirect_uri = 'tea://done'
    const app = { client_name: 'Tea', redirect_uris: redirect_uri, scopes }
    const { client_id, client_secret } = (await this.asks('POST', '/api/v1/apps', { body: app })).body
    const grant = { grant_type: 'client_credentials', client_id, client_secret, scope: scopes, redirect_uri }
    return (await this.asks('POST', '/oauth/token', { body: grant })).body.access_token
  }

  /** Creates an owner of the server. */
  owner(username: string): Promise<Person> {
    return this.person(username, { scopes: STAFF_SCOPES, role: 'owner' })
  }

  /** The operator's calls for logins. */
  operator() {
    return operatorClient(this, LoginOperatorDefinition)
  }

  /** Resolves when all consequences of earlier acts have been handled. */
  idle(): Promise<void> {
    return this.rookery.idle()
  }

  /** Moves the clock and runs the jobs that are due then, and those that their events add, until none is left. */
  async advance(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds)
    await this.idle()
    await makeJobsDue(this.#administrator, this.clock.now())
    while (await this.rookery.runJobs()) await this.idle()
  }

  /** Queries the world's database as its administrator: for state that no act shows, and to build state that no act can. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at rows without restating their types
  async query(text: string, values: unknown[] = []): Promise<any[]> {
    return (await this.#administrator.query(text, values)).rows
  }

  /** The cost of the last answered request. */
  get lastRequest(): Cost {
    return this.#costs.last()
  }

  /** The cost of running all due jobs, without the statements by which jobs are found and ended. */
  jobsCost(): Promise<Cost> {
    return this.#costs.of(() => this.rookery.runJobs())
  }

  /** The administrator's URL of the world's database. */
  get databaseUrl(): string {
    return this.#database.url('postgres')
  }

  /** Stops the server and drops the database, once. */
  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  async #end(): Promise<void> {
    const closed = this.#server.close()
    await this.rookery.close()
    await closed
    await this.#administrator.end()
    await this.#database.drop()
    await rm(this.#dataDir, { recursive: true, force: true })
  }
}

/** Jobs become due by Postgres's clock, which the world cannot move: those due by the world's clock are updated. */
const makeJobsDue = async (administrator: pg.Pool, now: number) => {
  const schemas = await administrator.query<{ name: string }>("select nspname as name from pg_namespace where nspname like '%\\_jobs'")
  const updates = schemas.rows.map(
    ({ name }) =>
      `${pg.escapeIdentifier(name)} as (update ${pg.escapeIdentifier(name)}._private_jobs set run_at = now() where run_at > now() and run_at <= $1)`,
  )
  await administrator.query(`with ${updates.join(', ')} select 1`, [new Date(now)])
}

/** A cheap password hash: tests create thousands of people, few of whom sign in, and the recommended hash takes 30 ms. */
const CHEAP = { memory: 64, passes: 1, parallelism: 1 }

const build = ({
  urlOf,
  dataDir,
  clock,
  origin,
  settings,
  costs,
  mayConnect,
  resolve,
  tracing,
  log,
  isOnlyWriter = false,
  isWired = true,
}: {
  urlOf: (role: string) => string
  dataDir: string
  clock: MovableClock
  origin: string
  settings: Record<string, string>
  costs?: ReturnType<typeof createCosts>
  mayConnect?: MayConnect
  resolve?: Resolve
  tracing?: Tracing
  log?: Logger | undefined
  isOnlyWriter?: boolean
  isWired?: boolean
}) => {
  const environment = {
    BASE_URL: origin,
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    REGISTRATIONS: 'open',
    CONFIRMATION: 'automatic',
    // The same on every machine; tests of video turn it on.
    VIDEO: 'off',
    // As for other caches: tests write with SQL, and count statements.
    TOKEN_MEMORY: isOnlyWriter ? 'on' : 'off',
    ...settings,
  }
  return compose({
    dataDir,
    urlOf,
    config: modulesConfig(environment),
    clock,
    log: log ?? createLogger({ name: 'world', level: environment['LOG_LEVEL' as keyof typeof environment] ?? 'fatal' }),
    isWired,
    isWorking: false,
    isOnlyWriter,
    passwordCost: CHEAP,
    ...(mayConnect ? { mayConnect } : {}),
    ...(resolve ? { resolve } : {}),
    ...(tracing ? { tracing } : {}),
    ...(costs ? { observeCall: costs.observeCall, observeStatement: costs.observeStatement } : {}),
  })
}
