import { request as overHttp } from 'node:http'
import { ResolverDefinition } from '@rookery/contracts/federation'
import {
  OutgoingDefinition as Outgoing,
  type OutgoingDefinition,
  RemoteAccountsDefinition as RemoteAccounts,
  type RemoteAccountsDefinition,
  type RemoteProfile,
} from '@rookery/contracts/statuses'
import { openDatabase, transact } from '@rookery/database'
import { memoryEphemeral } from '@rookery/ephemeral'
import { startWorker } from '@rookery/jobs'
import { type Call, type Client, type Handler, link } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'
import { createLogger, serveHttp } from '@rookery/runtime'
import { startTestPostgres } from '@rookery/test-stores'
import { migrateServices } from '@rookery/test-world/schemas'
import type { ActivityContext, JsonObject, Outbound, RemoteActor, Vocabulary } from '../src/contract.ts'
import { type FederationTables, readFederationConfig, schema } from '../src/module.ts'
import { federationLimits } from '../src/serving/index.ts'
import * as reading from '../src/vocabulary/index.ts'
import { createWire } from '../src/wire.ts'
import { openOtherServers, strangerAt } from './other-server.ts'
import { silence } from './silence.ts'

/** Handlers of a definition of which a test answers some calls. */
const someOf = <D extends typeof RemoteAccounts | typeof Outgoing>(definition: D, implementation: object): Handler =>
  ({
    definition,
    implementation: {
      ...Object.fromEntries(Object.keys(definition.methods).map((name) => [name, async () => ({})])),
      ...implementation,
    },
  }) as unknown as Handler

/** statuses as far as the wire asks it: it opens an account for each profile, and knows two people of this server. */
const statuses = () => {
  const profiles: RemoteProfile[] = []
  const removed: string[] = []
  const idOf = (uri: string) => String(1000 + [...new Set(profiles.map((each) => each.uri))].indexOf(uri))
  const remoteAccounts = someOf(RemoteAccounts, {
    store: async (_call: Call, profile: RemoteProfile) => {
      profiles.push(profile)
      return { id: idOf(profile.uri), isNew: true }
    },
    readByUris: async () => ({ accounts: [] }),
    remove: async (_call: Call, { uri }: { uri: string }) => {
      removed.push(uri)
      return {}
    },
  })
  const people: Record<string, string> = { '7': 'mara', '8': 'joel' }
  const outgoing = someOf(Outgoing, {
    readActors: async (_call: Call, { ids }: { ids: string[] }) => ({
      actors: ids.flatMap((id) => (people[id] ? [{ id, username: people[id] }] : [])),
    }),
  })
  return {
    profiles,
    removed,
    clients: {
      remoteAccounts: link(RemoteAccounts, remoteAccounts) as Client<RemoteAccountsDefinition>,
      outgoing: link(Outgoing, outgoing) as Client<OutgoingDefinition>,
    },
  }
}

const call = () => callWithin(30)

type Worked = { activity: JsonObject; actor: RemoteActor; context: ActivityContext }

/** The wire of a server on a real database, with statuses and a vocabulary of the test's own, among other servers of the test's own. */
export const openWire = async (settings: Record<string, string> = {}) => {
  const postgres = startTestPostgres()
  const own = await postgres.createDatabase(await postgres.templateDatabase('federation-wire', (built) => migrateServices(built, [schema])))
  const database = openDatabase<FederationTables>({ url: own.url(schema.name) })
  const neighbour = statuses()
  const servers = await openOtherServers()
  const clock = { time: Date.now(), now: () => clock.time }
  const worked: Worked[] = []
  const vocabulary = {
    ...silence,
    onActivity: async (activity: JsonObject, actor: RemoteActor, context: ActivityContext) => {
      worked.push({ activity, actor, context })
    },
  } as { -readonly [Name in keyof Vocabulary]: Vocabulary[Name] }
  // What a test puts in place of a function counts from then on.
  const said = Object.fromEntries(
    Object.entries(silence).map(([name, value]) => [
      name,
      typeof value === 'function' ? (...given: never[]) => Reflect.apply(vocabulary[name as 'onActivity'], undefined, given) : value,
    ]),
  ) as unknown as Vocabulary
  const { rates } = memoryEphemeral(clock.now)
  let wire: ReturnType<typeof createWire>
  const config = {
    BASE_URL: 'http://here.example',
    FEDERATION_ALLOW_PRIVATE: 'true',
    ENCRYPTION_KEY: 'a key of thirty-two characters or so',
    ...settings,
  }
  const build = (more: Record<string, string> = {}) => {
    wire = createWire(
      {
        database,
        statuses: neighbour.clients,
        rates,
        clock,
        log: createLogger({ name: 'federation', level: 'silent' }),
        config: readFederationConfig({ ...config, ...more }),
        resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      },
      ({ publicKeyOf }) => ({
        ...said,
        renderServerActor: async () =>
          reading.withContext(reading.renderServerActor(reading.places('http://here.example'), await publicKeyOf(''))),
      }),
      reading.readActor,
    )
    return wire
  }
  build()
  const server = await serveHttp(
    { http: (request, response) => wire.module.http(request, response), onError: (error) => console.error(error), deadlines: { stop: 0 } },
    { host: '127.0.0.1', port: 0 },
  )
  const worker = await startWorker({ url: own.url(schema.name), service: 'federation', jobs: wire!.module.jobs, isRunning: false })

  /** Asks this server, under the host it knows itself by. */
  const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: Buffer) =>
    new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
      const request = overHttp(
        { host: '127.0.0.1', port: server.port, method, path, headers: { Host: 'here.example', ...headers } },
        async (response) => {
          const chunks = await Array.fromAsync(response)
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() })
        },
      )
      request.on('error', reject)
      request.end(body)
    })

  const due = async () => {
    await database.pool.query('update federation_jobs._private_jobs set run_at = now() where run_at > now() and run_at <= $1', [
      new Date(clock.time),
    ])
    await worker.runDue()
  }
  return {
    database,
    url: own.url(schema.name),
    administratorUrl: own.url('postgres'),
    servers,
    clock,
    worked,
    rates,
    vocabulary,
    profiles: neighbour.profiles,
    removed: neighbour.removed,
    wire: () => wire,
    /** What its requests are counted by. */
    limits: () => federationLimits({ rates, clock, config: readFederationConfig(config) }),
    build,
    ask,
    /** Signs a request of someone elsewhere and sends it. */
    sends: (
      stranger: ReturnType<typeof strangerAt>,
      activity: object,
      { path = '/inbox', ...how }: Parameters<ReturnType<typeof strangerAt>['signed']>[2] & { path?: string } = {},
    ) => {
      const body = Buffer.from(JSON.stringify(activity))
      return ask('POST', path, stranger.signed(`http://here.example${path}`, body, { now: clock.time, ...how }), body)
    },
    /** Runs the jobs that are due by the test's clock. */
    due,
    later: async (milliseconds: number) => {
      clock.time += milliseconds
      await due()
    },
    deliver: (outbound: Outbound) => transact(database.db, (tx) => wire.deliver(tx, outbound)),
    resolver: () => link(ResolverDefinition, wire.module.rpc[0]!),
    call,
    stranger: (host: string, name: string, options?: Parameters<typeof strangerAt>[3]) => strangerAt(servers, host, name, options),
    close: async () => {
      await worker.close()
      await server.close()
      await servers.close()
      await database.close()
      await own.drop()
    },
  }
}

export type WireHarness = Awaited<ReturnType<typeof openWire>>
