import { InstanceDefinition } from '@rookery/contracts/federation'
import {
  AccountBody,
  AccountsDefinition,
  DiscoveryDefinition,
  type FeaturedTagsDefinition,
  type GraphDefinition,
  type InteractionsDefinition,
  type OutgoingDefinition,
  type PollsDefinition,
  type RemoteAccountsDefinition,
  type RemoteStatusesDefinition,
  type ReportsDefinition,
} from '@rookery/contracts/statuses'
import { openDatabase } from '@rookery/database'
import { memoryEphemeral } from '@rookery/ephemeral'
import { createOutbox } from '@rookery/events'
import { notFound, unavailable } from '@rookery/failures'
import { type Call, type Client, type Handler, link } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'
import { createLogger } from '@rookery/runtime'
import { startTestPostgres } from '@rookery/test-stores'
import { migrateServices } from '@rookery/test-world/schemas'
import { createFederation, type FederationTables, readFederationConfig, schema } from '../src/module.ts'

/** A fake of statuses with the calls that federation makes: counts, and one account named mara. */
const statuses = () => {
  const state = { people: 3, isAway: false, calls: [] as string[] }
  const answer = <Value>(name: string, value: () => Value) => {
    state.calls.push(name)
    if (state.isAway) throw unavailable('away')
    return value()
  }
  const discovery = {
    definition: DiscoveryDefinition,
    implementation: {
      readFigures: async () =>
        answer('readFigures', () => ({ people: state.people, statuses: 20, activeMonth: 2, activeHalfYear: 3, weeks: [] })),
    },
  } satisfies Handler
  const accounts = {
    definition: AccountsDefinition,
    implementation: {
      lookup: async (_call: Call, { acct }: { acct: string }) =>
        answer('lookup', () => {
          if (acct !== 'mara') throw notFound()
          return { id: '7', version: 1, body: Buffer.from(AccountBody.encode(AccountBody.fromPartial({ id: '7' })).finish()) }
        }),
      ...Object.fromEntries(Object.keys(AccountsDefinition.methods).flatMap((name) => (name === 'lookup' ? [] : [[name, () => {}]]))),
    },
  } satisfies Handler
  const nowhere = new Proxy({}, { get: () => () => Promise.reject(unavailable('away')) })
  const clients = {
    remoteAccounts: nowhere as Client<RemoteAccountsDefinition>,
    outgoing: nowhere as Client<OutgoingDefinition>,
    remoteStatuses: nowhere as Client<RemoteStatusesDefinition>,
    featuredTags: nowhere as Client<FeaturedTagsDefinition>,
    interactions: nowhere as Client<InteractionsDefinition>,
    graph: nowhere as Client<GraphDefinition>,
    polls: nowhere as Client<PollsDefinition>,
    reports: nowhere as Client<ReportsDefinition>,
    accounts: link(AccountsDefinition, accounts, { wire: true }),
    discovery: link(DiscoveryDefinition, discovery, { wire: true }),
  }
  return { state, clients }
}

const call = () => callWithin(30)

/** Federation on a real database, with settings and a fake of statuses. */
export const openHarness = async (environment: Record<string, string> = {}) => {
  const postgres = startTestPostgres()
  const own = await postgres.createDatabase(await postgres.templateDatabase('federation', (built) => migrateServices(built, [schema])))
  const statements: string[] = []
  const database = openDatabase<FederationTables>({ url: own.url(schema.name), onStatement: (text) => statements.push(text) })
  const neighbour = statuses()
  const clock = { time: Date.parse('2026-03-01T12:00:00Z'), now: () => clock.time }
  const start = (settings: Record<string, string>) => {
    const module = createFederation({
      database,
      statuses: neighbour.clients,
      rates: memoryEphemeral(clock.now).rates,
      outbox: createOutbox({ topic: 'federation.v1', now: clock.now, wake: () => {} }),
      clock,
      log: createLogger({ name: 'federation', level: 'silent' }),
      config: readFederationConfig({ BASE_URL: 'https://here.example', ...settings }),
    })
    return link(InstanceDefinition, module.rpc[0]!, { wire: true })
  }
  let instance = start(environment)
  return {
    db: database.db,
    statements,
    clock,
    statuses: neighbour.state,
    /** Serves the same database from a new process. */
    restart: (settings: Record<string, string>) => {
      instance = start(settings)
    },
    read: () => instance.read(call(), {}),
    rules: async () => (await instance.readRules(call(), {})).rules,
    extendedDescription: () => instance.readExtendedDescription(call(), {}),
    privacyPolicy: (language = '') => instance.readPrivacyPolicy(call(), { language }),
    peers: async () => (await instance.readPeers(call(), {})).domains,
    searchPeers: async (text: string, limit = 10) => (await instance.searchPeers(call(), { text, limit })).domains,
    domainBlocks: async () => (await instance.readDomainBlocks(call(), {})).blocks,
    close: async () => {
      await database.close()
      await own.drop()
    },
  }
}

export type Harness = Awaited<ReturnType<typeof openHarness>>
